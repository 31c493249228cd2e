import type { Intervention } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, option, repeated } from '../shared/command.ts'
import { describeFork } from '../runs/forks.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'
import { type AnswerOptions, askPerson, readAnswer, showQuestion } from './questions.ts'
import { writeLine } from '../shared/output.ts'
import { evidenceCommands } from './evidence.ts'
import { absenceCommands, bulkCommand, taskCommands } from './tasks.ts'

/** Adds the `inbox` commands for tasks (interventions) from runs. */
export const add = (program: Command): Command =>
  addGroup(program, 'inbox', [
    operation('interventions.list', {
      name: 'list',
      summary: 'List open tasks',
      example: 'inbox list --mine',
      options: {
        mine: option('--mine', 'only tasks that you may answer'),
        job_id: option('--job <id>', 'only tasks from this run'),
      },
      further: [
        option('--status <status>', 'open, decided, timed_out or cancelled; default: open'),
        option('--due <time>', 'only tasks due by this time (ISO 8601)'),
      ],
      fields: ({ status = 'open' }: { status?: string }) => ({ status }),
      keep: ({ due }: { due?: string }) => (due === undefined ? undefined : createDueFilter(due)),
      columns: [
        ['id', 'interventionId'],
        'kind',
        'title',
        ['job', 'job_id'],
        ['for', task => task.assignees.join(', ')],
        ['due', 'due_at'],
      ],
    }),
    operation('interventions.reopen', {
      name: 'reopen <id>',
      summary: 'Reopen a closed task in a new run',
      example: 'inbox reopen 4d1c2f0e --reason "the offer has changed"',
      options: { reason: '--reason <text>', dry_run: '--dry-run' },
      text: describeFork,
    }),
    operation('interventions.get', {
      name: 'show <id>',
      summary: 'Show a task and its data',
      example: 'inbox show 4d1c2f0e --json',
      async print(context, question) {
        if (context.format === 'text') showQuestion(question)
        await context.print(question, task => `${task.interventionId}\t${task.status}\t${task.actions.join(', ')}`)
      },
    }),
    {
      name: 'answer <id>',
      summary: 'Answer a task',
      example: 'inbox answer 4d1c2f0e --approve --comment "checked"\ninbox answer 4d1c2f0e --data @form.json',
      options: [
        option('--approve', 'approve'),
        option('--reject', 'reject'),
        option('--data <json>', 'form data: JSON, @file, or - for stdin'),
        repeated('--answer <question=answer>', 'answer to one of several questions; repeatable'),
        option('--comment <text>', 'comment'),
      ],
      run: async (context, [id = ''], options: AnswerOptions) => {
        const client = await context.client()
        let answer = await readAnswer(options)
        const question = await client.inbox.get(id)
        if (!answer && !context.canAsk)
          throw new CliError(
            EXIT.waits,
            'No terminal to read the answer from. Use --approve, --reject, --data or --answer',
            {
              interventionId: id,
            },
          )
        answer ??= await askPerson(question)
        await context.print(await client.inbox.answer(question, answer), reply =>
          reply.pending
            ? `${reply.action} by ${reply.by} is pending: no worker has processed it yet`
            : `${reply.action} by ${reply.by}${reply.decided ? '' : ` (${reply.approvals} of ${reply.quorum})`}`,
        )
      },
    },
    ...taskCommands(),
    ...absenceCommands(),
    bulkCommand,
    ...evidenceCommands(),
    {
      name: 'watch',
      summary: 'Print new tasks until Ctrl-C',
      example: 'inbox watch --json=lines',
      run: async context => {
        const client = await context.client()
        const { tail } = await import('../webhooks/tail.ts')
        await tail(context, client, ['intervention.requested'], undefined, async event => {
          if (event.type !== 'intervention.requested') return
          const question = await client.inbox.get(event.intervention.id)
          if (context.format === 'text')
            await context.print(question, task => `${task.interventionId}\t${task.title}\t${task.job_id}`)
          else await writeLine(question)
        })
      },
    },
  ])

/** Returns a filter for tasks due by a time. Tasks without a due time don't match. */
function createDueFilter(time: string): (question: Pick<Intervention, 'due_at'>) => boolean {
  const by = Date.parse(time)
  if (Number.isNaN(by)) throw usageError(`${time} is not a valid time`)
  return ({ due_at }) => due_at != null && Date.parse(due_at) <= by
}
