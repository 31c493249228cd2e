import type { ApiPromise } from './core/api-promise.ts'
import type { EventStream } from './core/event-stream.ts'
import { StreamedText } from './core/streamed-text.ts'
import type { RequestOptions } from './core/transport.ts'
import { RunFailedError } from './errors.ts'
import type { Operations } from './generated/resources.ts'
import type { Data, Job, JobEvent, PersonAnswer, Question, StreamOptions } from './types.ts'

/** A handle for a run that this or another process started. The handle sends requests only when you call a method. */
export class Run {
  readonly jobId: string
  readonly #api: Operations

  constructor(api: Operations, jobId: string) {
    this.#api = api
    this.jobId = jobId
  }

  /**
   * Streams the run's events, from the start or after `after`, until the run ends. Leaving the loop does not end the
   * run.
   */
  stream(options?: StreamOptions): EventStream<JobEvent> {
    return this.#api.jobs.stream(this.jobId, options)
  }

  /** Resolves with the streamed text when the run has ended. Throws RunFailedError. */
  async text(options?: StreamOptions): Promise<string> {
    const text = new StreamedText()
    for await (const event of this.stream(options)) {
      text.apply(event)
      if (event.type === 'error') throw this.#toError(event)
    }
    return text.toString()
  }

  /** Resolves with the result when the run has ended. Throws RunFailedError. */
  async result<T = unknown>(options?: StreamOptions): Promise<T> {
    for await (const event of this.stream(options)) {
      if (event.type === 'complete') return event.result as T
      if (event.type === 'error') throw this.#toError(event)
    }
    throw new Error('The stream ended without a final event')
  }

  /** Returns the job record, with its open tasks. */
  status(options?: RequestOptions): ApiPromise<Job> {
    return this.#api.jobs.status(this.jobId, options)
  }

  /** Returns the open tasks in the run and its child runs. */
  async questions(options?: RequestOptions): Promise<Question[]> {
    return (await this.status(options)).waitingFor ?? []
  }

  /** Answers a task. Pass the task or its id. Repeating the same answer returns the same reply. */
  async answer(
    question: Question | string,
    answer: PersonAnswer,
    options?: RequestOptions,
  ): Promise<Data<'jobs.answer'>> {
    const { interventionId, job_id = this.jobId } =
      typeof question === 'string' ? await this.#api.interventions.get(question, options) : question
    const workspace_id = await this.#api.transport.readWorkspaceId(options)
    const input = { type: 'intervention_response' as const, interventionId, ...answer }
    return this.#api.jobs.answer(job_id, { workspace_id, input }, options)
  }

  /** Cancels the run. Running steps stop, and completed steps are compensated. */
  cancel(options?: RequestOptions): ApiPromise<Data<'jobs.cancel'>> {
    return this.#api.jobs.cancel(this.jobId, undefined, options)
  }

  pause(options?: RequestOptions): ApiPromise<Data<'jobs.pause'>> {
    return this.#api.jobs.pause(this.jobId, undefined, options)
  }

  /** Resumes a paused run, or sends it the event that a `wait` node waits for. */
  resume(event?: { event?: string; data?: unknown }, options?: RequestOptions): ApiPromise<Data<'jobs.resume'>> {
    return this.#api.jobs.resume(this.jobId, event, options)
  }

  #toError({ code, message }: { code: string; message: string }): RunFailedError {
    return new RunFailedError({ status: 0, code, message, jobId: this.jobId })
  }
}
