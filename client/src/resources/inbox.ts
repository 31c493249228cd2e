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
