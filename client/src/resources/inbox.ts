import type { ApiPromise } from '../core/api-promise.ts'
import type { PagePromise } from '../core/pages.ts'
import type { RequestOptions } from '../core/transport.ts'
import type { Operations } from '../generated/resources.ts'
import { Run } from '../run.ts'
import type { Body, Data, Intervention, Item, PersonAnswer, Query } from '../types.ts'

/** Tasks of runs: interventions and their answers. */
export class Inbox {
  readonly #api: Operations

  constructor(api: Operations) {
    this.#api = api
  }

  /** Lists open tasks, unless you pass another status. */
  list(query: Query<'interventions.list'> = {}, options?: RequestOptions): PagePromise<Item<'interventions.list'>> {
    return this.#api.interventions.list({ status: ['open'], ...query }, options)
  }

  get(id: string, options?: RequestOptions): ApiPromise<Intervention> {
    return this.#api.interventions.get(id, options)
  }

  /**
   * Claims a task, so that nobody else can answer it. Throws `409 CLAIMED` if another person has claimed it. The
   * message names that person.
   */
  claim(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.claim'>> {
    return this.#api.interventions.claim(id, {}, options)
  }

  /** Releases the caller's claim. */
  release(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.release'>> {
    return this.#api.interventions.release(id, {}, options)
  }

  /** Transfers the right to answer to another person. */
  delegate(
    id: string,
    body: Body<'interventions.delegate'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.delegate'>> {
    return this.#api.interventions.delegate(id, body, options)
  }

  /** Replaces the current assignees. */
  reassign(
    id: string,
    body: Body<'interventions.reassign'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.reassign'>> {
    return this.#api.interventions.reassign(id, body, options)
  }

  /** Gives the same answer to several tasks. With `dry_run`, previews the outcome of each answer. */
  answerMany(
    body: Body<'interventions.answerMany'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.answerMany'>> {
    return this.#api.interventions.answerMany(body, options)
  }

  /**
   * Returns the evidence for a decision: the content shown, and who answered in which role. The evidence is signed if
   * the service has a signing key.
   */
  evidence(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.evidence'>> {
    return this.#api.interventions.evidence(id, options)
  }

  /** Lists the public keys for verifying evidence. */
  evidenceKeys(options?: RequestOptions): ApiPromise<Data<'interventions.evidenceKeys'>> {
    return this.#api.interventions.evidenceKeys(options)
  }

  /** Comments on an open task without answering it. */
  comment(id: string, comment: string, options?: RequestOptions): ApiPromise<Data<'interventions.comment'>> {
    return this.#api.interventions.comment(id, { comment }, options)
  }

  /** Reopens a closed task in a new run. */
  reopen(
    id: string,
    body: Body<'interventions.reopen'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.reopen'>> {
    return this.#api.interventions.reopen(id, body, options)
  }

  /** Answers a task. Pass the task or its id. */
  answer(
    question: string | Pick<Intervention, 'interventionId' | 'job_id'>,
    answer: PersonAnswer,
    options?: RequestOptions,
  ): Promise<Data<'jobs.answer'>> {
    const id = typeof question === 'string' ? question : question.interventionId
    return new Run(this.#api, '').answer(id, answer, options)
  }
}
