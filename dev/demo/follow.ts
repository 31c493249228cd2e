import { type Ganglion, type Job, type Run, ValidationError } from '@ganglion/client'
import { ask } from './ask.ts'
import { createProgress } from './progress.ts'

/** Options for following a run in the terminal. */
export interface DemoContext {
  ganglion: Ganglion
  /** Whether to answer tasks automatically. */
  yes: boolean
}

/**
 * Shows the progress of a run and lets the person answer its tasks. Returns the latest state of the job: ended, or
 * still waiting if the person left without answering.
 */
export async function follow({ yes }: DemoContext, run: Run): Promise<Job> {
  const show = createProgress(text => process.stdout.write(text))
  for await (const event of run.stream()) {
    show(event)
    if (event.type === 'intervention' && event.change === 'opened' && !(await decide(event.interventionId))) break
  }
  return run.status()

  /** Asks the person to decide a task. Returns false if the person left without deciding. */
  async function decide(interventionId: string): Promise<boolean> {
    const question = (await run.questions()).find(each => each.interventionId === interventionId)
    if (!question) return true
    const decision = await ask(question, yes)
    if (!decision) return false
    try {
      await run.answer(question, decision)
    } catch (error) {
      // A validation error means that someone else has already answered the task.
      if (!(error instanceof ValidationError)) throw error
      process.stdout.write(`  The answer was refused: ${error.message}\n`)
    }
    return true
  }
}
