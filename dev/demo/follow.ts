import { type Ganglion, type Job, type Run, ValidationError } from '@ganglion/client'
import { ask } from './ask.ts'
import { createProgress } from './progress.ts'

/** A run that a person follows in the terminal. */
export interface DemoContext {
  ganglion: Ganglion
  /** Answers what the run asks without a person. */
  yes: boolean
}

/**
 * Shows a run as it goes, and has the person answer what it asks. Gives the job as it then is: finished, or still waiting
 * when the person left without an answer.
 */
export async function follow({ yes }: DemoContext, run: Run): Promise<Job> {
  const show = createProgress(text => process.stdout.write(text))
  for await (const event of run.stream()) {
    show(event)
    if (event.type === 'intervention' && event.change === 'opened' && !(await decide(event.interventionId))) break
  }
  return run.status()

  /** False when the person left without deciding. */
  async function decide(interventionId: string): Promise<boolean> {
    const question = (await run.questions()).find(each => each.interventionId === interventionId)
    if (!question) return true
    const decision = await ask(question, yes)
    if (!decision) return false
    try {
      await run.answer(question, decision)
    } catch (error) {
      // It came too late, since another was given meanwhile.
      if (!(error instanceof ValidationError)) throw error
      process.stdout.write(`  the answer was not taken: ${error.message}\n`)
    }
    return true
  }
}
