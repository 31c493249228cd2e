import type { CommandSpec } from '../shared/command.ts'
import { option, repeated, required } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'

/** An empty text is none. */
const comment = option('--comment <text>', 'why').argParser(text => text || undefined)

/** What people do with a question without answering it. */
export const taskCommands = (): CommandSpec<never>[] => [
  operation('interventions.claim', { name: 'claim <id>', text: describeTask }),
  operation('interventions.release', { name: 'release <id>', text: describeTask }),
  operation('interventions.delegate', {
    name: 'delegate <id>',
    example: 'inbox delegate 4d1c2f0e --to user:bob --comment "on leave"',
    options: { to: option('--to <person>', 'a person such as user:bob'), comment },
    text: describeTask,
  }),
  operation('interventions.reassign', {
    name: 'reassign <id>',
    example: 'inbox reassign 4d1c2f0e --to user:bob --to group:finance',
    options: {
      to: repeated('--to <name>', 'a person such as user:bob or a group such as group:finance; repeatable'),
      comment,
    },
    text: describeTask,
  }),
  operation('interventions.comment', {
    name: 'comment <id> <comment>',
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

/** One answer to many questions. */
export const bulkCommand: CommandSpec<BulkOptions> = {
  name: 'answer-many <ids...>',
  summary: 'Give one answer to many questions; with --dry-run, preview it',
  example: 'inbox answer-many 4d1c2f0e 5e2d3a1f --approve --dry-run',
  options: [
    option('--approve', 'approve'),
    option('--reject', 'reject'),
    option('--comment <text>', 'a comment'),
    option('--dry-run', 'say what would become of each, and answer nothing'),
  ],
  run: async (context, ids, { approve, reject, comment, dryRun }) => {
    if (approve === reject) throw usageError('Give --approve or --reject')
    const client = await context.client()
    const answer = { action: approve ? ('approve' as const) : ('reject' as const), ...(comment && { comment }) }
    const items = [...new Set(ids)].map(interventionId => ({ interventionId }))
    const preview = await client.inbox.answerMany({ items, ...answer, dry_run: true })
    const seen = preview.results.map(({ interventionId, shown_hash }) => ({ interventionId, shown_hash }))
    const reply = dryRun ? preview : await client.inbox.answerMany({ items: seen, ...answer })
    await context.print(reply, ({ results }) => results.map(describeResult).join('\n'))
  },
}

const describeResult = (one: { interventionId: string; outcome: string; title?: string; message?: string }): string =>
  [one.interventionId, one.outcome, one.title ?? '', one.message ?? ''].join('\t')

/** Who is away, and who answers meanwhile. */
export const absenceCommands = (): CommandSpec<never>[] => [
  operation('absences.list', {
    name: 'absences',
    summary: 'List who is away, and who answers meanwhile',
    print: (context, { data }) => context.print(data, list => list.map(describeAbsence).join('\n')),
  }),
  {
    name: 'away',
    summary: 'Name a substitute, who answers what you are assigned while you are away',
    example: 'inbox away --substitute user:bob --until 2027-01-04T08:00:00Z',
    options: [
      required('--substitute <person>', 'a person such as user:bob'),
      option('--from <time>', 'when it begins, as ISO 8601; now if absent'),
      option('--until <time>', 'when it ends, as ISO 8601'),
      option('--person <person>', 'for this person instead of yourself'),
    ],
    run: async (context, _, { substitute, from, until, person: actor }: AwayOptions) => {
      const { absences } = await context.client()
      const body = { substitute, ...(from && { starts_at: from }), ...(until && { ends_at: until }) }
      const saving = actor === undefined ? absences.saveOwn(body) : absences.save({ ...body, actor })
      await context.print(await saving, describeAbsence)
    },
  },
  {
    name: 'back',
    summary: 'End an absence',
    options: [option('--person <person>', 'of this person instead of yourself')],
    run: async (context, _, { person }: { person?: string }) => {
      const { absences } = await context.client()
      await (person === undefined ? absences.endOwn() : absences.end(person))
      await context.print({ ended: true }, () => 'the absence has ended')
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
  const who = `for ${assignees.length > 0 ? assignees.join(', ') : 'everyone'}`
  return claimed_by === undefined ? who : `claimed by ${claimed_by}, ${who}`
}
