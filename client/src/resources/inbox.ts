import type { ApiPromise } from '../core/api-promise.ts'
import type { PagePromise } from '../core/pages.ts'
import type { RequestOptions } from '../core/transport.ts'
import type { Operations } from '../generated/resources.ts'
import { Run } from '../run.ts'
import type { Body, Data, Intervention, Item, PersonAnswer, Query } from '../types.ts'

/** The questions of runs to people: interventions with their answers. */
export class Inbox {
  readonly #api: Operations

  constructor(api: Operations) {
    this.#api = api
  }

  /** The open questions, unless another status is given. */
  list(query: Query<'interventions.list'> = {}, options?: RequestOptions): PagePromise<Item<'interventions.list'>> {
    return this.#api.interventions.list({ status: ['open'], ...query }, options)
  }

  get(id: string, options?: RequestOptions): ApiPromise<Intervention> {
    return this.#api.interventions.get(id, options)
  }

  /** Takes a question, so that no other person answers it. Throws a `409 CLAIMED` that says who has it. */
  claim(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.claim'>> {
    return this.#api.interventions.claim(id, {}, options)
  }

  /** Ends the claim of the caller. */
  release(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.release'>> {
    return this.#api.interventions.release(id, {}, options)
  }

  /** Hands over the right to answer to another person. */
  delegate(
    id: string,
    body: Body<'interventions.delegate'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.delegate'>> {
    return this.#api.interventions.delegate(id, body, options)
  }

  /** Says who may answer instead of the present assignees. */
  reassign(
    id: string,
    body: Body<'interventions.reassign'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.reassign'>> {
    return this.#api.interventions.reassign(id, body, options)
  }

  /** Gives one answer to many questions, or says what would become of each (`dry_run`). */
  answerMany(
    body: Body<'interventions.answerMany'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.answerMany'>> {
    return this.#api.interventions.answerMany(body, options)
  }

  /** What proves a decision: what was shown, who answered in which role, signed where the service has a key. */
  evidence(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.evidence'>> {
    return this.#api.interventions.evidence(id, options)
  }

  /** The public keys that verify evidence. */
  evidenceKeys(options?: RequestOptions): ApiPromise<Data<'interventions.evidenceKeys'>> {
    return this.#api.interventions.evidenceKeys(options)
  }

  /** Comments on an open question without answering it. */
  comment(id: string, comment: string, options?: RequestOptions): ApiPromise<Data<'interventions.comment'>> {
    return this.#api.interventions.comment(id, { comment }, options)
  }

  /** Decides a closed question again, in a new run. */
  reopen(
    id: string,
    body: Body<'interventions.reopen'>,
    options?: RequestOptions,
  ): ApiPromise<Data<'interventions.reopen'>> {
    return this.#api.interventions.reopen(id, body, options)
  }

  /** Answers a question, given by itself or by its id. */
  answer(
    question: string | Pick<Intervention, 'interventionId' | 'job_id'>,
    answer: PersonAnswer,
    options?: RequestOptions,
  ): Promise<Data<'jobs.answer'>> {
    const id = typeof question === 'string' ? question : question.interventionId
    return new Run(this.#api, '').answer(id, answer, options)
  }
}
