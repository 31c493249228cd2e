import type { Query } from '@ganglion/client'
import type { Command } from 'commander'
import {
  addCommand,
  addGroup,
  listOptions,
  type ListOptions,
  option,
  readJson,
  readSecret,
  toPageSize,
} from '../shared/command.ts'
import { addKind } from '../resources/kind.ts'

/** `triggers`. */
export function addTriggers(program: Command): void {
  const group = addGroup(program, 'triggers')
  addTriggerList(group)
  addKind(group, 'triggers', { hasList: true })
  addFiring(group)
  addSchedule(group)
  addHook(addGroup(group, 'hook').description('The address of a webhook trigger: show, rotate-token, rotate-secret'))
}

function addTriggerList(group: Command): void {
  addCommand<ListOptions>(group, {
    name: 'list',
    summary: 'List triggers with their type, health and next time',
    example: 'triggers list --all',
    options: listOptions(),
    run: async (context, _, list) => {
      const client = await context.client()
      await context.printAll(
        client.triggers.list({ limit: toPageSize(list) }),
        [
          ['slug', one => one.slug],
          ['title', one => one.title],
          ['type', one => one.trigger_type],
          ['health', one => one.health],
          ['next', one => one.next_fire_at],
          ['last', one => one.last_fired_at],
          ['reason', one => one.health_reason],
        ],
        list,
      )
    },
  })
}

const describeFiring = ({ decision, job_id, reason }: { decision: string; job_id: string | null; reason: unknown }) =>
  [decision, job_id, reason].filter(Boolean).join('\t')

function addFiring(group: Command): void {
  addCommand<{ data?: string; idempotencyKey?: string }>(group, {
    name: 'fire <trigger>',
    summary: 'Start what a trigger starts, now',
    example: 'triggers fire nightly-report',
    options: [
      option('--data <json>', 'the input: JSON, @file, or - for stdin'),
      option('--idempotency-key <key>', 'fires once however often the command is repeated with it'),
    ],
    run: async (context, [id = ''], { data, idempotencyKey }) => {
      const client = await context.client()
      const body = data === undefined ? {} : { input: await readJson(data) }
      await context.print(await client.triggers.fire(id, body, { idempotencyKey }), describeFiring)
    },
  })
  addCommand<ListOptions & Pick<Query<'triggers.runs'>, 'decision'>>(group, {
    name: 'runs <trigger>',
    summary: 'List the firings of a trigger with their runs, latest first',
    example: 'triggers runs nightly-report --json',
    options: [option('--decision <decision>', 'those with this decision, such as fired'), ...listOptions()],
    run: async (context, [id = ''], { decision, ...list }) => {
      const client = await context.client()
      await context.printAll(
        client.triggers.runs(id, { decision }),
        [
          ['firing', one => one.id],
          ['decision', one => one.decision],
          ['job', one => one.job_id],
          ['created', one => one.created_at],
          ['reason', one => one.reason],
        ],
        list,
      )
    },
  })
  addCommand<{ idempotencyKey?: string }>(group, {
    name: 'replay <trigger> <firing>',
    summary: 'Fire again with the event of an earlier firing',
    example: 'triggers replay invoices-mailed 0192f0c4-0000-7000-8000-0000000000f1',
    options: [option('--idempotency-key <key>', 'fires once however often the command is repeated with it')],
    run: async (context, [id = '', firing = ''], { idempotencyKey }) => {
      const client = await context.client()
      await context.print(await client.triggers.replay(id, firing, undefined, { idempotencyKey }), describeFiring)
    },
  })
}

function addSchedule(group: Command): void {
  addCommand(group, {
    name: 'preview <trigger>',
    summary: 'List the next times of a schedule',
    example: 'triggers preview nightly-report',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.triggers.preview(id), ({ times }) => times.map(time => `${time}\n`).join(''))
    },
  })
  addCommand<{ from: string; to: string }>(group, {
    name: 'backfill <trigger>',
    summary: 'Fire for the times of a past period; a time that has fired does not fire again',
    example: 'triggers backfill nightly-report --from 2026-01-01T00:00:00Z --to 2026-01-08T00:00:00Z',
    options: [
      option('--from <time>', 'the beginning, as ISO 8601').makeOptionMandatory(),
      option('--to <time>', 'the end, inclusive and in the past').makeOptionMandatory(),
    ],
    run: async (context, [id = ''], { from, to }) => {
      const client = await context.client()
      await context.print(await client.triggers.backfill(id, { from, to }), ({ times }) => `Times that fire: ${times}`)
    },
  })
}

interface RotateOptions {
  overlap?: string
  secret?: string
}

const overlapOption = () => option('--overlap <hours>', 'how long the one before stays valid; 24 if absent')
const toOverlap = (hours: string | undefined) => (hours === undefined ? {} : { overlap_hours: Number(hours) })

function addHook(group: Command): void {
  addCommand(group, {
    name: 'show <trigger>',
    summary: 'Show the state of a hook, without its secret parts',
    example: 'triggers hook show invoices-mailed',
    run: async (context, [id = '']) => context.show(await (await context.client()).triggers.hook(id)),
  })
  addCommand<RotateOptions>(group, {
    name: 'rotate-token <trigger>',
    summary: 'Make the address of a hook, or replace it, and print it',
    example: 'triggers hook rotate-token invoices-mailed',
    options: [overlapOption()],
    run: async (context, [id = ''], { overlap }) => {
      const client = await context.client()
      const hook = await client.triggers.rotateToken(id, toOverlap(overlap))
      context.say('The address is shown only here')
      await context.print(hook, ({ url }) => url)
    },
  })
  addCommand<RotateOptions>(group, {
    name: 'rotate-secret <trigger>',
    summary: 'Make or set the secret of signatures of a hook; one that was made is printed',
    example: 'triggers hook rotate-secret invoices-mailed\ntriggers hook rotate-secret payments --secret @stripe.txt',
    options: [overlapOption(), option('--secret <file>', 'the secret of the sender: @file, or - for stdin')],
    run: async (context, [id = ''], { overlap, secret }) => {
      const client = await context.client()
      const given = secret === undefined ? {} : { secret: await readSecret(secret) }
      const hook = await client.triggers.rotateSecret(id, { ...toOverlap(overlap), ...given })
      if (hook.secret !== null) context.say('The secret is shown only here')
      await context.print(hook, one => one.secret ?? `the secret of ${id} is set`)
    },
  })
}
