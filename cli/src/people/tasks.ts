import type { Command } from 'commander'
import { addCommand, option, repeated, required } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'

/** What people do with a question without answering it. */
export function addTaskCommands(inbox: Command): void {
  addCommand(inbox, {
    name: 'claim <id>',
    summary: 'Take a question, so that no other person answers it',
    example: 'inbox claim 4d1c2f0e',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.inbox.claim(id), describeTask)
    },
  })
  addCommand(inbox, {
    name: 'release <id>',
    summary: 'End your claim of a question',
    example: 'inbox release 4d1c2f0e',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.inbox.release(id), describeTask)
    },
  })
  addCommand<{ to: string; comment?: string }>(inbox, {
    name: 'delegate <id>',
    summary: 'Hand over your right to answer to another person',
    example: 'inbox delegate 4d1c2f0e --to user:bob --comment "on leave"',
    options: [required('--to <person>', 'a person such as user:bob'), option('--comment <text>', 'why')],
    run: async (context, [id = ''], { to, comment }) => {
      const client = await context.client()
      await context.print(await client.inbox.delegate(id, { to, ...(comment && { comment }) }), describeTask)
    },
  })
  addCommand<{ to?: string[]; comment?: string }>(inbox, {
    name: 'reassign <id>',
    summary: 'Say who may answer a question from now on',
    example: 'inbox reassign 4d1c2f0e --to user:bob --to group:finance',
    options: [
      repeated('--to <name>', 'a person such as user:bob or a group such as group:finance; repeatable'),
      option('--comment <text>', 'why'),
    ],
    run: async (context, [id = ''], { to = [], comment }) => {
      if (to.length === 0) throw usageError('Give at least one --to')
      const client = await context.client()
      await context.print(await client.inbox.reassign(id, { to, ...(comment && { comment }) }), describeTask)
    },
  })
  addCommand(inbox, {
    name: 'comment <id> <text>',
    summary: 'Comment on a question without answering it',
    example: 'inbox comment 4d1c2f0e "waiting for the supplier"',
    run: async (context, [id = '', text = '']) => {
      const client = await context.client()
      await context.print(await client.inbox.comment(id, text), one => `${one.by} commented at ${one.at}`)
    },
  })
}

interface BulkOptions {
  approve?: boolean
  reject?: boolean
  comment?: string
  dryRun?: boolean
}

/** One answer to many questions. */
export function addBulkCommand(inbox: Command): void {
  addCommand<BulkOptions>(inbox, {
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
  })
}

const describeResult = (one: { interventionId: string; outcome: string; title?: string; message?: string }): string =>
  [one.interventionId, one.outcome, one.title ?? '', one.message ?? ''].join('\t')

/** Who is away, and who answers meanwhile. */
export function addAbsenceCommands(inbox: Command): void {
  addCommand(inbox, {
    name: 'absences',
    summary: 'List who is away, and who answers meanwhile',
    example: 'inbox absences',
    run: async context => {
      const client = await context.client()
      const { data } = await client.absences.list()
      await context.print(data, list => list.map(describeAbsence).join('\n'))
    },
  })
  addCommand<{ substitute: string; from?: string; until?: string; person?: string }>(inbox, {
    name: 'away',
    summary: 'Name a substitute, who answers what you are assigned while you are away',
    example: 'inbox away --substitute user:bob --until 2027-01-04T08:00:00Z',
    options: [
      required('--substitute <person>', 'a person such as user:bob'),
      option('--from <time>', 'when it begins, as ISO 8601; now if absent'),
      option('--until <time>', 'when it ends, as ISO 8601'),
      option('--person <person>', 'for this person instead of yourself'),
    ],
    run: async (context, _, { substitute, from, until, person }) => {
      const client = await context.client()
      const body = { substitute, ...(from && { starts_at: from }), ...(until && { ends_at: until }) }
      const saving =
        person === undefined ? client.absences.saveOwn(body) : client.absences.save({ ...body, actor: person })
      await context.print(await saving, describeAbsence)
    },
  })
  addCommand<{ person?: string }>(inbox, {
    name: 'back',
    summary: 'End an absence',
    example: 'inbox back',
    options: [option('--person <person>', 'of this person instead of yourself')],
    run: async (context, _, { person }) => {
      const client = await context.client()
      await (person === undefined ? client.absences.endOwn() : client.absences.end(person))
      await context.print({ ended: true }, () => 'the absence has ended')
    },
  })
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
