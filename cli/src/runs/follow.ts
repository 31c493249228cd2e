import { setTimeout as sleep } from 'node:timers/promises'
import type { Ganglion, JobEvent, PersonAnswer, Run } from '@ganglion/client'
import type { Context } from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'
import { writeLine } from '../shared/output.ts'
import { askPerson } from '../people/questions.ts'
import { note, openPrompt, paint } from '../shared/terminal.ts'

export interface FollowOptions {
  after?: string
  /** Answers given in advance, by intervention id or node id. */
  answers?: Map<string, PersonAnswer>
  /** Writes the text that the run streams. Default: stderr. */
  writeText?: (text: string) => void
}

/** Milliseconds in which a second Ctrl-C offers to cancel the run. */
const SECOND_MS = 2_000

/**
 * Shows the progress of a run and lets the person answer the run's tasks. Resolves with the result. Throws if the run
 * fails, if the run needs an answer and there is no terminal, or if the person stops following. In the last two
 * cases, the run continues.
 */
export async function follow(
  context: Context,
  client: Ganglion,
  run: Run,
  options: FollowOptions = {},
): Promise<unknown> {
  const leaving = new AbortController()
  const timer =
    context.options.timeout === undefined
      ? undefined
      : setTimeout(() => leaving.abort('timeout'), context.options.timeout * 1000)
  const interrupt = () => leaving.abort('interrupt')
  process.once('SIGINT', interrupt)
  const show = createProgress(context, options.writeText)
  try {
    const onReconnect = () => context.say(paint('dim', '[reconnecting]'))
    for await (const event of run.stream({ after: options.after, signal: leaving.signal, onReconnect })) {
      if (context.format === 'lines') await writeLine(event)
      show(event)
      if (event.type === 'complete') return event.result
      if (event.type === 'error')
        throw new CliError(EXIT.runFailed, event.message, { job_id: run.jobId, failed_code: event.code })
      if (event.type === 'intervention' && event.change === 'opened')
        await answer(context, client, run, event.interventionId, options, leaving.signal)
    }
    throw new CliError(EXIT.error, 'The stream ended before the run')
  } catch (error) {
    // The person stopped at a prompt.
    if (error instanceof CliError && error.exitCode === EXIT.interrupted) note(buildHint(run))
    if (!leaving.signal.aborted || error instanceof CliError) throw error
    return await leave(context, run, leaving.signal.reason === 'timeout')
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', interrupt)
  }
}

/** Follows a started run and prints its result. With `detach`, prints its id immediately. */
export async function followAndPrint(
  context: Context,
  client: Ganglion,
  run: Run,
  { detach, ...options }: FollowOptions & { detach?: boolean } = {},
): Promise<void> {
  if (detach) return context.print({ job_id: run.jobId }, ({ job_id }) => job_id)
  context.say(`Job ${run.jobId}`)
  const result = await follow(context, client, run, options)
  if (context.format !== 'lines') await context.show(result)
}

async function answer(
  context: Context,
  client: Ganglion,
  run: Run,
  id: string,
  { answers }: FollowOptions,
  signal: AbortSignal,
): Promise<void> {
  const question = (await run.questions({ signal })).find(candidate => candidate.interventionId === id)
  // The task has already been answered, for example when a stream is replayed.
  if (!question) return
  const presetAnswer = answers?.get(id) ?? answers?.get(question.node_id)
  if (!presetAnswer && !context.canAsk) {
    const fields = { job_id: run.jobId, interventionId: id, title: question.title, kind: question.kind }
    throw new CliError(
      EXIT.waits,
      `The run is waiting for an answer: ${question.title}\n  ganglion inbox answer ${id}\n  ganglion jobs follow ${run.jobId}`,
      fields,
    )
  }
  const decision = presetAnswer ?? (await askPerson(question))
  const { APIError } = await import('@ganglion/client')
  await client.inbox
    .answer({ interventionId: id, job_id: question.job_id ?? run.jobId }, decision, { signal })
    .catch((error: unknown) => {
      // Another person answered first, or this person may not answer.
      if (presetAnswer || !APIError.is(error)) throw error
      note(`The answer was refused: ${error.message}`)
    })
}

const buildHint = ({ jobId }: Run) => `The run continues. To follow it: ganglion jobs follow ${jobId}`

/** Stops following a run. The run continues, but a second Ctrl-C offers to cancel it. */
async function leave(context: Context, run: Run, isTimeout: boolean): Promise<never> {
  const hint = buildHint(run)
  if (isTimeout) throw new CliError(EXIT.timedOut, hint, { job_id: run.jobId })
  note(`\n${hint}`)
  if (context.canAsk && (await isPressedAgain())) {
    const prompt = openPrompt()
    const reply = await prompt.ask('Cancel the run? [y/N] ').finally(() => prompt.close())
    if (/^y(es)?$/i.test(reply.trim())) {
      await run.cancel()
      note(`Cancelled ${run.jobId}`)
    }
  }
  throw new CliError(EXIT.interrupted, '', { job_id: run.jobId })
}

async function isPressedAgain(): Promise<boolean> {
  const pressed = new Promise<boolean>(resolve => process.once('SIGINT', () => resolve(true)))
  return Promise.race([pressed, sleep(SECOND_MS, false)])
}

/** Prints a run's steps and text as they arrive. */
function createProgress(context: Context, writer: FollowOptions['writeText']) {
  const writeText = writer ?? ((text: string) => void (context.options.quiet || process.stderr.write(text)))
  let inText = false
  let last = ''
  const line = (text: string) => {
    if (text === last) return
    last = text
    context.say(`${inText ? '\n' : ''}${text}`)
    inText = false
  }
  return (event: JobEvent): void => {
    if (context.format === 'lines') return
    if (event.type === 'token') {
      writeText(event.token)
      inText = true
    } else {
      const text = describe(event)
      if (text !== undefined) line(text)
    }
  }
}

/** Returns undefined for events that are not shown, including unknown types from a newer service. */
function describe(event: JobEvent): string | undefined {
  if (event.type === 'status') return paint('dim', `[${event.status}]`)
  if (event.type === 'node' && event.status !== 'skipped')
    return `${paint(event.status === 'failed' ? 'red' : 'cyan', event.status.padEnd(9))} ${event.key}${event.port ? ` -> ${event.port}` : ''}${event.error ? `: ${event.error.message}` : ''}`
  if (event.type === 'intervention')
    return `${paint('yellow', 'person'.padEnd(9))} ${event.node_id ?? ''} ${event.change}${event.action ? `: ${event.action}` : ''}${event.by ? ` by ${event.by}` : ''}`
  if (event.type === 'attempt_reset')
    return paint('dim', `attempt ${event.attempt} of ${event.key} starts; discard the text above`)
  if (event.type === 'progress') return `${event.done} of ${event.total}`
  if (event.type === 'segment') return `${event.speaker ? `${event.speaker}: ` : ''}${event.text}`
  if (event.type === 'notice' || event.type === 'gap') return paint('dim', event.message)
  return undefined
}
