import type { CommandSpec } from '../shared/command.ts'
import { option, repeated, required } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'

/** An empty comment is treated as no comment. */
const comment = option('--comment <text>', 'reason').argParser(text => text || undefined)

/** Commands that change a task without answering it. */
export const taskCommands = (): CommandSpec<never>[] => [
  operation('interventions.claim', { name: 'claim <id>', summary: 'Claim a task', text: describeTask }),
  operation('interventions.release', { name: 'release <id>', summary: 'Release a claimed task', text: describeTask }),
  operation('interventions.delegate', {
    name: 'delegate <id>',
    summary: 'Delegate a task',
    example: 'inbox delegate 4d1c2f0e --to user:bob --comment "on leave"',
    options: { to: option('--to <person>', 'person such as user:bob'), comment },
    text: describeTask,
  }),
  operation('interventions.reassign', {
    name: 'reassign <id>',
    summary: 'Reassign a task',
    example: 'inbox reassign 4d1c2f0e --to user:bob --to group:finance',
    options: {
      to: repeated('--to <name>', 'person such as user:bob or group such as group:finance; repeatable'),
      comment,
    },
    text: describeTask,
  }),
  operation('interventions.comment', {
    name: 'comment <id> <comment>',
    summary: 'Comment on an open task',
    example: 'inbox comment 4d1c2f0e "waiting for the supplier"',
    text: one => `${one.by} commented at ${one.at}`,
  }),
]

interface BulkOptions {
  approve?: boolean
  reject?: boolean
  comment?: string
  dryRun?: boolean
}

/** Gives the same answer to several tasks. */
export const bulkCommand: CommandSpec<BulkOptions> = {
  name: 'answer-many <ids...>',
  summary: 'Answer several tasks at once; --dry-run previews the outcome',
  example: 'inbox answer-many 4d1c2f0e 5e2d3a1f --approve --dry-run',
  options: [
    option('--approve', 'approve'),
    option('--reject', 'reject'),
    option('--comment <text>', 'comment'),
    option('--dry-run', 'preview the outcome of each answer, without sending any'),
  ],
  run: async (context, ids, { approve, reject, comment, dryRun }) => {
    if (approve === reject) throw usageError('Use --approve or --reject')
    const client = await context.client()
    const answer = { action: approve ? ('approve' as const) : ('reject' as const), ...(comment && { comment }) }
    const items = [...new Set(ids)].map(interventionId => ({ interventionId }))
    const preview = await client.inbox.answerMany({ items, ...answer, dry_run: true })
    const shownItems = preview.results.map(({ interventionId, shown_hash }) => ({ interventionId, shown_hash }))
    const reply = dryRun ? preview : await client.inbox.answerMany({ items: shownItems, ...answer })
    await context.print(reply, ({ results }) => results.map(describeResult).join('\n'))
  },
}

const describeResult = (one: { interventionId: string; outcome: string; title?: string; message?: string }): string =>
  [one.interventionId, one.outcome, one.title ?? '', one.message ?? ''].join('\t')

/** Commands for absences and substitutes. */
export const absenceCommands = (): CommandSpec<never>[] => [
  operation('absences.list', {
    name: 'absences',
    summary: 'List absences and substitutes',
    print: (context, { data }) => context.print(data, list => list.map(describeAbsence).join('\n')),
  }),
  {
    name: 'away',
    summary: 'Set a substitute who answers your tasks while you are away',
    example: 'inbox away --substitute user:bob --until 2027-01-04T08:00:00Z',
    options: [
      required('--substitute <person>', 'person such as user:bob'),
      option('--from <time>', 'start as ISO 8601; default: now'),
      option('--until <time>', 'end as ISO 8601'),
      option('--person <person>', 'set the substitute for this person instead of yourself'),
    ],
    run: async (context, _, { substitute, from, until, person: actor }: AwayOptions) => {
      const { absences } = await context.client()
      const body = { substitute, ...(from && { starts_at: from }), ...(until && { ends_at: until }) }
      const request = actor === undefined ? absences.saveOwn(body) : absences.save({ ...body, actor })
      await context.print(await request, describeAbsence)
    },
  },
  {
    name: 'back',
    summary: 'End an absence',
    options: [option('--person <person>', 'end the absence of this person instead of yourself')],
    run: async (context, _, { person }: { person?: string }) => {
      const { absences } = await context.client()
      await (person === undefined ? absences.endOwn() : absences.end(person))
      await context.print({ ended: true }, () => 'Absence ended')
    },
  },
]

interface AwayOptions {
  substitute: string
  from?: string
  until?: string
  person?: string
}

interface Absence {
  actor: string
  substitute: string
  starts_at: string
  ends_at: string | null
}

const describeAbsence = ({ actor, substitute, starts_at, ends_at }: Absence): string =>
  `${actor}\t${substitute}\t${starts_at}\t${ends_at ?? ''}`

function describeTask({ assignees, claimed_by }: { assignees: string[]; claimed_by?: string }): string {
  const audience = `for ${assignees.length > 0 ? assignees.join(', ') : 'everyone'}`
  return claimed_by === undefined ? audience : `claimed by ${claimed_by}, ${audience}`
}
