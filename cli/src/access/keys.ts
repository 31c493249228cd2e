import type { Command } from 'commander'
import { addGroup, option, repeated } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { openPersonClient as client } from './session.ts'

const ID = '0192f0c4-0000-7000-8000-0000000000c1'

/** Adds the `keys` commands. Only signed-in users can manage API keys. */
export const add = (program: Command): Command =>
  addGroup(program, 'keys', [
    operation('apiKeys.list', {
      name: 'list',
      summary: 'List API keys, oldest first, without their text',
      client,
      columns: [
        'id',
        'name',
        'actor',
        ['made by', 'created_by'],
        'prefix',
        ['permissions', key => key.permissions?.join(',')],
        ['used', 'last_used_at'],
        ['expires', 'expires_at'],
        ['revoked', 'revoked_at'],
      ],
    }),
    operation('apiKeys.create', {
      name: 'create <name>',
      summary: 'Create an API key and print it once',
      example: 'keys create reports --permissions jobs:read,usage:read --expires 2027-01-01T00:00:00Z',
      client,
      options: {
        permissions: '--permissions <names>',
        actor: '--actor <name>',
        groups: repeated('--group <name>', 'group that you belong to; repeatable'),
        brain_ids: option('--brains <ids>', 'brains that the key is bound to, separated by commas; default: all'),
        expires_at: option('--expires <time>', 'expiry as ISO 8601'),
      },
      fields: ({ brain }: { brain?: string }) => ({ default_brain_id: brain }),
      say: ({ id }) => `Store the key for ${id} now: it is not shown again`,
      text: ({ api_key }) => api_key,
    }),
    operation('apiKeys.rotate', {
      name: 'rotate <id>',
      summary: 'Replace an API key and print the new one; the old key remains valid for a while',
      example: `keys rotate ${ID} --overlap 3600`,
      client,
      options: { overlap_seconds: '--overlap <seconds>' },
      say: () => 'Store the key now: it is not shown again',
      text: ({ api_key }) => api_key,
    }),
    operation('apiKeys.revoke', {
      name: 'revoke <id>',
      summary: 'Revoke an API key; requests that use it fail within five seconds',
      example: `keys revoke ${ID} --yes`,
      client,
      confirm: ([id]) => `Revoke API key ${id}?`,
      done: 'revoked',
    }),
  ])
