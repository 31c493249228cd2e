import type { Command } from 'commander'
import { addGroup, option } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'

const ID = '0192f0c4-0000-7000-8000-0000000000e1'
const describeDelivery = ({ id, status }: { id: string; status: string }) => `${id} is ${status}`

/** `webhooks`. */
export const add = (program: Command): Command =>
  addGroup(program, 'webhooks', [
    operation('webhooks.list', {
      name: 'list',
      columns: ['id', 'url', ['types', one => one.event_types.join(',')], ['active', 'is_active']],
    }),
    operation('webhooks.get', { name: 'get <id>' }),
    operation('webhooks.create', {
      name: 'create <url>',
      summary: 'Create a webhook and print its secret once',
      example: 'webhooks create https://example.com/hook --type "job.*"',
      options: {
        event_types: '--type <types>',
        description: option('--description <text>', 'description of the webhook'),
        scope: '--scope <scope>',
      },
      text: one => `id\t${one.id}\nsecret\t${one.secret}`,
    }),
    operation('webhooks.update', {
      name: 'update <id>',
      example: `webhooks update ${ID} --enable`,
      options: {
        url: '--to <url>',
        event_types: '--type <types>',
        description: option('--description <text>', 'description of the webhook'),
      },
      further: [
        option('--enable', 'enable deliveries, starting with the next event'),
        option('--disable', 'disable deliveries').conflicts('enable'),
      ],
      fields: ({ enable, disable }: { enable?: true; disable?: true }) => ({
        is_active: enable ? true : disable ? false : undefined,
      }),
    }),
    operation('webhooks.delete', {
      name: 'delete <id>',
      summary: 'Delete a webhook and its log permanently',
      example: `webhooks delete ${ID} --yes`,
      confirm: ([id]) => `Delete webhook ${id} and its log?`,
      done: 'deleted',
    }),
    operation('webhooks.rotateSecret', {
      name: 'rotate <id>',
      summary: 'Replace the secret and print the new one once',
      example: `webhooks rotate ${ID} --overlap 48`,
      options: { overlap_hours: '--overlap <hours>' },
      text: ({ secret }) => secret,
    }),
    operation('webhooks.deliveries', {
      name: 'deliveries <id>',
      example: `webhooks deliveries ${ID} --status failed`,
      options: { status: option('--status <status>', 'only deliveries with this status') },
      columns: [
        'id',
        ['type', 'event_type'],
        'status',
        'attempts',
        ['created', 'created_at'],
        ['response', delivery => delivery.attempt_log.at(-1)?.status ?? delivery.attempt_log.at(-1)?.error?.message],
      ],
    }),
    operation('webhooks.replay', {
      name: 'replay <id> <delivery>',
      text: describeDelivery,
    }),
    operation('webhooks.test', { name: 'test <id>', text: describeDelivery }),
  ])
