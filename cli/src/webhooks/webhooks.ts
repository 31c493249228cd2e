import type { Body, Query } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, addGroup, listOptions, type ListOptions, option, toList } from '../shared/command.ts'

interface WebhookOptions {
  url?: string
  type?: string
  description?: string
  scope?: Body<'webhooks.create'>['scope']
  enable?: boolean
  disable?: boolean
}

/** `webhooks`. */
export function addWebhooks(program: Command): void {
  const group = addGroup(program, 'webhooks')
  addEdits(group)
  addDeliveries(group)
}

function addEdits(group: Command): void {
  addCommand<ListOptions>(group, {
    name: 'list',
    summary: 'List webhooks',
    example: 'webhooks list',
    options: listOptions(),
    run: async (context, _, list) => {
      const client = await context.client()
      await context.printAll(
        client.webhooks.list(),
        [
          ['id', one => one.id],
          ['url', one => one.url],
          ['types', one => one.event_types.join(',')],
          ['active', one => one.is_active],
        ],
        list,
      )
    },
  })
  addCommand(group, {
    name: 'get <id>',
    summary: 'Show a webhook',
    example: 'webhooks get 0192f0c4-0000-7000-8000-0000000000e1',
    run: async (context, [id = '']) => context.show(await (await context.client()).webhooks.get(id)),
  })
  addCommand<WebhookOptions>(group, {
    name: 'create <url>',
    summary: 'Deliver events to a URL; prints the webhook with its secret, which is shown only here',
    example: 'webhooks create https://example.com/hook --type "job.*"',
    options: [
      option('--type <types>', 'types, with commas, such as job.*,resource.created').makeOptionMandatory(),
      option('--description <text>', 'what it is for'),
      option('--scope <scope>', 'the events of all brains, or of one').choices(['workspace', 'brain']),
    ],
    run: async (context, [url = ''], { type, description, scope }) => {
      const client = await context.client()
      const created = await client.webhooks.create({
        url,
        event_types: toList(type) as Body<'webhooks.create'>['event_types'],
        description,
        scope,
      })
      await context.print(created, one => `id\t${one.id}\nsecret\t${one.secret}`)
    },
  })
  addCommand<WebhookOptions>(group, {
    name: 'update <id>',
    summary: 'Change a webhook, disable it or enable it again',
    example: 'webhooks update 0192f0c4-0000-7000-8000-0000000000e1 --enable',
    options: [
      option('--to <url>', 'the URL'),
      option('--type <types>', 'types, with commas'),
      option('--description <text>', 'what it is for'),
      option('--enable', 'deliver from the next event on'),
      option('--disable', 'deliver nothing').conflicts('enable'),
    ],
    run: async (context, [id = ''], { to, type, description, enable, disable }: WebhookOptions & { to?: string }) => {
      const client = await context.client()
      const is_active = enable ? true : disable ? false : undefined
      const body = { url: to, event_types: toList(type), description, is_active }
      await context.show(await client.webhooks.update(id, body))
    },
  })
  addCommand(group, {
    name: 'delete <id>',
    summary: 'Delete a webhook and its log permanently',
    example: 'webhooks delete 0192f0c4-0000-7000-8000-0000000000e1 --yes',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.confirm(`Delete the webhook ${id} with its log?`)
      await client.webhooks.delete(id)
      await context.print({ id, deleted: true }, () => `deleted ${id}`)
    },
  })
  addCommand<{ overlap?: string }>(group, {
    name: 'rotate <id>',
    summary: 'Replace the secret and print the new one, which is shown only here',
    example: 'webhooks rotate 0192f0c4-0000-7000-8000-0000000000e1 --overlap 48',
    options: [option('--overlap <hours>', 'how long the present secret signs, too; 24 if absent')],
    run: async (context, [id = ''], { overlap }) => {
      const client = await context.client()
      const body = overlap === undefined ? {} : { overlap_hours: Number(overlap) }
      await context.print(await client.webhooks.rotateSecret(id, body), ({ secret }) => secret)
    },
  })
}

function addDeliveries(group: Command): void {
  addCommand<ListOptions & Pick<Query<'webhooks.deliveries'>, 'status'>>(group, {
    name: 'deliveries <id>',
    summary: 'List the deliveries of a webhook, latest first',
    example: 'webhooks deliveries 0192f0c4-0000-7000-8000-0000000000e1 --status failed',
    options: [
      option('--status <status>', 'those with this status').choices(['pending', 'succeeded', 'failed']),
      ...listOptions(),
    ],
    run: async (context, [id = ''], { status, ...list }) => {
      const client = await context.client()
      await context.printAll(
        client.webhooks.deliveries(id, { status }),
        [
          ['id', one => one.id],
          ['type', one => one.event_type],
          ['status', one => one.status],
          ['attempts', one => one.attempts],
          ['created', one => one.created_at],
          ['response', one => one.attempt_log.at(-1)?.status ?? one.attempt_log.at(-1)?.error?.message],
        ],
        list,
      )
    },
  })
  addCommand(group, {
    name: 'replay <id> <delivery>',
    summary: 'Deliver again what has succeeded or failed',
    example: 'webhooks replay 0192f0c4-0000-7000-8000-0000000000e1 0192f0c4-0000-7000-8000-0000000000e2',
    run: async (context, [id = '', delivery = '']) => {
      const client = await context.client()
      await context.print(await client.webhooks.replay(id, delivery), one => `${one.id} is ${one.status}`)
    },
  })
  addCommand(group, {
    name: 'test <id>',
    summary: 'Deliver an event of the type webhook.test',
    example: 'webhooks test 0192f0c4-0000-7000-8000-0000000000e1',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.webhooks.test(id), one => `${one.id} is ${one.status}`)
    },
  })
}
