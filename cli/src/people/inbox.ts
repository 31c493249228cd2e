import type { Intervention } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, addGroup, listOptions, type ListOptions, option, repeated, required } from '../shared/command.ts'
import { describeFork } from '../runs/forks.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { type AnswerOptions, askPerson, readAnswer, showQuestion } from './questions.ts'
import { writeLine } from '../shared/output.ts'
import { addEvidenceCommands } from './evidence.ts'
import { addAbsenceCommands, addBulkCommand, addTaskCommands } from './tasks.ts'

/** `inbox`: what runs ask people. */
export function addInbox(program: Command): void {
  const inbox = addGroup(program, 'inbox')
  addCommand<ListOptions & { mine?: boolean; status?: string; job?: string; due?: string }>(inbox, {
    name: 'list',
    summary: 'List the open questions',
    example: 'inbox list --mine',
    options: [
      option('--mine', 'those that this key may answer'),
      option('--status <status>', 'open, decided, timed_out or cancelled; open if absent'),
      option('--job <id>', 'those of this run'),
      option('--due <time>', 'those that are due by this time, as ISO 8601'),
      ...listOptions(),
    ],
    run: async (context, _, { mine, status, job, due, ...list }) => {
      const client = await context.client()
      const query = { status, job_id: job, ...(mine && { mine: true }) }
      const clean = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
      await context.printAll(
        client.inbox.list(clean),
        [
          ['id', one => one.interventionId],
          ['kind', one => one.kind],
          ['title', one => one.title],
          ['job', one => one.job_id],
          ['for', one => one.assignees.join(', ')],
          ['due', one => one.due_at],
        ],
        { ...list, ...(due !== undefined && { keep: toDueFilter(due) }) },
      )
    },
  })
  addCommand<{ reason: string; dryRun?: boolean }>(inbox, {
    name: 'reopen <id>',
    summary: 'Decide a closed question again, in a new run',
    example: 'inbox reopen 4d1c2f0e --reason "the offer has changed"',
    options: [
      required('--reason <text>', 'why it is decided again'),
      option('--dry-run', 'list what would be reused, run and happen a second time'),
    ],
    run: async (context, [id = ''], { reason, dryRun }) => {
      const client = await context.client()
      const body = { reason, ...(dryRun && { dry_run: true }) }
      await context.print(await client.inbox.reopen(id, body), describeFork)
    },
  })
  addCommand(inbox, {
    name: 'show <id>',
    summary: 'Show a question with its data',
    example: 'inbox show 4d1c2f0e --json',
    run: async (context, [id = '']) => {
      const client = await context.client()
      const question = await client.inbox.get(id)
      if (context.format === 'text') showQuestion(question)
      await context.print(question, one => `${one.interventionId}\t${one.status}\t${one.actions.join(', ')}`)
    },
  })
  addCommand<AnswerOptions>(inbox, {
    name: 'answer <id>',
    summary: 'Answer a question',
    example: 'inbox answer 4d1c2f0e --approve --comment "checked"\ninbox answer 4d1c2f0e --data @form.json',
    options: [
      option('--approve', 'approve'),
      option('--reject', 'reject'),
      option('--data <json>', 'the data of a form: JSON, @file, or - for stdin'),
      repeated('--answer <question=answer>', 'the answer to one of several questions; repeatable'),
      option('--comment <text>', 'a comment'),
    ],
    run: async (context, [id = ''], options) => {
      const client = await context.client()
      let answer = await readAnswer(options)
      const question = await client.inbox.get(id)
      if (!answer && !context.canAsk)
        throw new CliError(EXIT.waits, 'There is no terminal to ask at: give --approve, --reject, --data or --answer', {
          interventionId: id,
        })
      answer ??= await askPerson(question)
      await context.print(await client.inbox.answer(question, answer), reply =>
        reply.pending
          ? `${reply.action} by ${reply.by} is pending: no worker has taken it yet`
          : `${reply.action} by ${reply.by}${reply.decided ? '' : ` (${reply.approvals} of ${reply.quorum})`}`,
      )
    },
  })
  addTaskCommands(inbox)
  addAbsenceCommands(inbox)
  addBulkCommand(inbox)
  addEvidenceCommands(inbox)
  addCommand(inbox, {
    name: 'watch',
    summary: 'Print questions as they are asked, until Ctrl-C',
    example: 'inbox watch --json=lines',
    run: async context => {
      const client = await context.client()
      const { tail } = await import('../webhooks/tail.ts')
      await tail(context, client, ['intervention.requested'], undefined, async event => {
        if (event.type !== 'intervention.requested') return
        const question = await client.inbox.get(event.intervention.id)
        if (context.format === 'text')
          await context.print(question, one => `${one.interventionId}\t${one.title}\t${one.job_id}`)
        else await writeLine(question)
      })
    },
  })
}

/** Only what is due has a time. */
function toDueFilter(time: string): (question: Pick<Intervention, 'due_at'>) => boolean {
  const by = Date.parse(time)
  if (Number.isNaN(by)) throw usageError(`${time} is not a time`)
  return ({ due_at }) => due_at != null && Date.parse(due_at) <= by
}
