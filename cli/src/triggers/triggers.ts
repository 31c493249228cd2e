import type { Command } from 'commander'
import { addGroup, inputOptions, option, readInput, readSecret } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { kindCommands } from '../resources/kind.ts'

const describeFiring = ({ decision, job_id, reason }: { decision: string; job_id: string | null; reason: unknown }) =>
  [decision, job_id, reason].filter(Boolean).join('\t')

/** `triggers`. */
export function add(program: Command): void {
  const group = addGroup(program, 'triggers', [
    operation('triggers.list', {
      name: 'list',
      summary: 'List triggers with their type, health and next time',
      example: 'triggers list --all',
      columns: [
        'slug',
        'title',
        ['type', 'trigger_type'],
        'health',
        ['next', 'next_fire_at'],
        ['last', 'last_fired_at'],
        ['reason', 'health_reason'],
      ],
    }),
    ...kindCommands('triggers').filter(({ name }) => name !== 'list'),
    operation('triggers.fire', {
      name: 'fire <trigger>',
      further: inputOptions('input'),
      fields: async (options: { input?: string; data?: string }) => ({ input: await readInput(options) }),
      hasKey: true,
      text: describeFiring,
    }),
    operation('triggers.runs', {
      name: 'runs <trigger>',
      summary: "List a trigger's firings and their runs, latest first",
      example: 'triggers runs nightly-report --json',
      options: { decision: option('--decision <decision>', 'only firings with this decision') },
      columns: [['firing', 'id'], 'decision', ['job', 'job_id'], ['created', 'created_at'], 'reason'],
    }),
    operation('triggers.replay', {
      name: 'replay <trigger> <firing>',
      hasKey: true,
      text: describeFiring,
    }),
    operation('triggers.preview', {
      name: 'preview <trigger>',
      text: ({ times }) => times.map(time => `${time}\n`).join(''),
    }),
    operation('triggers.backfill', {
      name: 'backfill <trigger>',
      summary: 'Fire a trigger for the scheduled times in a past period, except those that have already fired',
      example: 'triggers backfill nightly-report --from 2026-01-01T00:00:00Z --to 2026-01-08T00:00:00Z',
      options: { from: '--from <time>', to: '--to <time>' },
      text: ({ times }) => `Scheduled times to fire: ${times}`,
    }),
  ])
  addGroup(group, 'hook', [
    operation('triggers.hook', { name: 'show <trigger>' }),
    operation('triggers.rotateToken', {
      name: 'rotate-token <trigger>',
      summary: 'Create or replace the address of a webhook trigger, and print it once',
      options: { overlap_hours: '--overlap <hours>' },
      say: () => 'Store the address now: it is not shown again',
      text: ({ url }) => url,
    }),
    operation('triggers.rotateSecret', {
      name: 'rotate-secret <trigger>',
      summary: 'Generate or set the signing secret of a webhook trigger; a generated secret is printed once',
      example: 'triggers hook rotate-secret invoices-mailed\ntriggers hook rotate-secret payments --secret @stripe.txt',
      options: { overlap_hours: '--overlap <hours>' },
      further: [option('--secret <file>', 'signing secret from the sender: @file, or - for stdin')],
      fields: async ({ secret }: { secret?: string }) => secret !== undefined && { secret: await readSecret(secret) },
      say: ({ secret }) => (secret === null ? undefined : 'Store the secret now: it is not shown again'),
      text: ({ secret }, [id]) => secret ?? `The secret of ${id} is set`,
    }),
  ]).description('Manage the address of a webhook trigger: show, rotate-token, rotate-secret')
}
