import type { Command } from 'commander'
import { addGroup, option, repeated } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { openPersonClient as client } from './session.ts'

const ID = '0192f0c4-0000-7000-8000-0000000000c1'

/** `keys`: API keys, which a signed-in person manages. */
export const add = (program: Command): Command =>
  addGroup(program, 'keys', [
    operation('apiKeys.list', {
      name: 'list',
      summary: 'List API keys, oldest first, without their texts',
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
      summary: 'Make a key and print it; it is shown only here',
      example: 'keys create reports --permissions jobs:read,usage:read --expires 2027-01-01T00:00:00Z',
      client,
      options: {
        permissions: '--permissions <names>',
        actor: '--actor <name>',
        groups: repeated('--group <name>', 'one of your groups; repeatable'),
        brain_ids: option('--brains <ids>', 'the brains that it is bound to, with commas; by default all'),
        expires_at: option('--expires <time>', 'as ISO 8601'),
      },
      fields: ({ brain }: { brain?: string }) => ({ default_brain_id: brain }),
      say: ({ id }) => `The key ${id} is shown only here`,
      text: ({ api_key }) => api_key,
    }),
    operation('apiKeys.rotate', {
      name: 'rotate <id>',
      summary: 'Make a key with the same rights, and print it; the old one is accepted for a while',
      example: `keys rotate ${ID} --overlap 3600`,
      client,
      options: { overlap_seconds: '--overlap <seconds>' },
      say: () => 'The key is shown only here',
      text: ({ api_key }) => api_key,
    }),
    operation('apiKeys.revoke', {
      name: 'revoke <id>',
      summary: 'Revoke a key permanently: requests with it fail within five seconds',
      example: `keys revoke ${ID} --yes`,
      client,
      confirm: ([id]) => `Revoke the key ${id}?`,
      done: 'revoked',
    }),
  ])
