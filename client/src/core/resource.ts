import type { Data, Item, OperationId } from '../types.ts'
import { ApiPromise } from './api-promise.ts'
import { EventStream, type StreamOptions } from './event-stream.ts'
import { type ListReply, PagePromise } from './pages.ts'
import type { Payload, RequestOptions, Transport } from './transport.ts'

type Arguments = (string | number)[]

/** The base class for the operations on one noun. */
export class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  protected sendCall<Id extends OperationId>(
    id: Id,
    args: Arguments,
    payload: Payload,
    options?: RequestOptions,
  ): ApiPromise<Data<Id>> {
    return new ApiPromise(this.transport.json<Data<Id>>(this.transport.describe(id, args, payload), options))
  }

  protected getPage<Id extends OperationId>(
    id: Id,
    args: Arguments,
    payload: Payload,
    options?: RequestOptions,
  ): PagePromise<Item<Id>> {
    const place = payload.body ? 'body' : 'query'
    return new PagePromise(offset => {
      const nextPayload = offset === undefined ? payload : { [place]: { ...payload[place], offset } }
      return this.transport.json<ListReply<Item<Id>>>(this.transport.describe(id, args, nextPayload), options)
    })
  }

  protected fetchRaw(
    id: OperationId,
    args: Arguments,
    payload: Payload,
    options?: RequestOptions,
  ): ApiPromise<Response> {
    return new ApiPromise(this.transport.raw(this.transport.describe(id, args, payload), options))
  }

  protected openStream<E extends { type: string }>(
    id: OperationId,
    args: Arguments,
    payload: Payload,
    options?: StreamOptions,
  ): EventStream<E> {
    return new EventStream<E>(this.transport, this.transport.describe(id, args, payload), options)
  }
}
