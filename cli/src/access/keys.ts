import type { Body } from '@ganglion/client'
import type { Command } from 'commander'
import {
  addCommand,
  addGroup,
  listOptions,
  type ListOptions,
  option,
  repeated,
  toList,
  toPageSize,
} from '../shared/command.ts'
import { openPersonClient } from './session.ts'

interface KeyOptions {
  permissions?: string
  actor?: string
  group?: string[]
  brains?: string
  expires?: string
}

/** `keys`: API keys, which a signed-in person manages. */
export function addKeys(program: Command): void {
  const group = addGroup(program, 'keys')
  addCommand<ListOptions>(group, {
    name: 'list',
    summary: 'List API keys, oldest first, without their texts',
    example: 'keys list',
    options: listOptions(),
    run: async (context, _, list) => {
      const client = await openPersonClient(context)
      await context.printAll(
        client.apiKeys.list({ limit: toPageSize(list) }),
        [
          ['id', one => one.id],
          ['name', one => one.name],
          ['actor', one => one.actor],
          ['made by', one => one.created_by],
          ['prefix', one => one.prefix],
          ['permissions', one => one.permissions?.join(',')],
          ['used', one => one.last_used_at],
          ['expires', one => one.expires_at],
          ['revoked', one => one.revoked_at],
        ],
        list,
      )
    },
  })
  addCreate(group)
  addCommand<{ overlap?: string }>(group, {
    name: 'rotate <id>',
    summary: 'Make a key with the same rights, and print it; the old one is accepted for a while',
    example: 'keys rotate 0192f0c4-0000-7000-8000-0000000000c1 --overlap 3600',
    options: [option('--overlap <seconds>', 'how long the old one is accepted, too; a day if absent')],
    run: async (context, [id = ''], { overlap }) => {
      const client = await openPersonClient(context)
      const body = overlap === undefined ? {} : { overlap_seconds: Number(overlap) }
      const made = await client.apiKeys.rotate(id, body)
      context.say('The key is shown only here')
      await context.print(made, ({ api_key }) => api_key)
    },
  })
  addCommand(group, {
    name: 'revoke <id>',
    summary: 'Revoke a key permanently: requests with it fail within five seconds',
    example: 'keys revoke 0192f0c4-0000-7000-8000-0000000000c1 --yes',
    run: async (context, [id = '']) => {
      const client = await openPersonClient(context)
      await context.confirm(`Revoke the key ${id}?`)
      await client.apiKeys.revoke(id)
      await context.print({ id, revoked: true }, () => `revoked ${id}`)
    },
  })
}

function addCreate(group: Command): void {
  addCommand<KeyOptions>(group, {
    name: 'create <name>',
    summary: 'Make a key and print it; it is shown only here',
    example: 'keys create reports --permissions jobs:read,usage:read --expires 2027-01-01T00:00:00Z',
    options: [
      option('--permissions <names>', 'with commas; by default all but those of managing the access'),
      option('--actor <name>', 'yourself, for a key that acts as you; by default a service key that belongs to you'),
      repeated('--group <name>', 'one of your groups; repeatable'),
      option('--brains <ids>', 'the brains that it is bound to, with commas; by default all'),
      option('--expires <time>', 'as ISO 8601'),
    ],
    run: async (context, [name = ''], { permissions, actor, group: groups, brains, expires }) => {
      const client = await openPersonClient(context)
      const body = {
        name,
        // The service checks the names.
        permissions: toList(permissions) as Body<'apiKeys.create'>['permissions'],
        actor,
        groups,
        brain_ids: toList(brains),
        default_brain_id: context.options.brain,
        expires_at: expires,
      }
      const made = await client.apiKeys.create(body)
      context.say(`The key ${made.id} is shown only here`)
      await context.print(made, ({ api_key }) => api_key)
    },
  })
}
