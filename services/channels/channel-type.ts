import type { ChannelFields, ChannelView, SharedChannelFields } from '../../contract/channels/channel.ts'
import type { MessageToSend } from '../../data/channels/channel-messages-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { ChannelKinds, ChannelType } from '../../domain/channels/channel.ts'
import type { Notice } from '../../domain/channels/notification.ts'
import type { OpenedChannel, StoredKind } from './open-channel.ts'

/** A failed request to a messaging service. */
export interface ChannelFailure {
  /** For operators and the log. Contains no message text. */
  message: string
  /** False if another attempt cannot succeed. */
  isRetryable: boolean
  retryAfterMs?: number
  /** Whether other messages can succeed, so that the channel is not failing. */
  isAboutMessage?: boolean
}

/** A failed request to a messaging service, as an error. */
export class ChannelError extends Error {
  readonly failure: ChannelFailure

  constructor(failure: ChannelFailure, cause?: unknown) {
    super(failure.message, { cause })
    this.name = 'ChannelError'
    this.failure = failure
  }
}

/** How channels of one type are saved. */
export interface ChannelConnector<T extends ChannelType> {
  /**
   * Checks the credentials with the service. Throws ValidationError if the service rejects them, and Unavailable if it
   * does not respond.
   */
  connect(fields: Extract<ChannelFields, { type: T }>): Promise<ChannelKinds[T]>
  /**
   * Returns what to store when the channel is saved again, by default `after`. `before` has no credentials if the
   * server's secret has changed since. Throws Conflict if the channel must not be replaced.
   */
  replace?(before: StoredKind<T>, after: ChannelKinds[T]): ChannelKinds[T]
  /** Runs in the transaction that saves the channel. `before` is absent for a new channel. */
  onSaved?(
    tx: Tx,
    id: string,
    settings: ChannelKinds[T]['settings'],
    before?: ChannelKinds[T]['settings'],
  ): Promise<void>
  /** Returns the fields of the view that only this type has. */
  present(settings: ChannelKinds[T]['settings'], requestUrl: string): ChannelDetails<T>
}

/** The fields that only the view of one channel type has. */
export type ChannelDetails<T extends ChannelType = ChannelType> = {
  [K in T]: Omit<Extract<ChannelView, { type: K }>, keyof SharedChannelFields>
}[T]

/** One attempt to show a message. */
export interface Showing<T extends ChannelType> {
  channel: OpenedChannel<T>
  message: MessageToSend
  /** The text of a message with a notification or a digest. */
  notice?: Notice
  inWorkspace: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>
  signal: AbortSignal
}

/**
 * The result of an attempt. The service shows content with this hash, nothing yet, or nothing at all, because the task
 * was closed before the message could be sent.
 */
export type Shown = { hash: string } | 'waiting' | 'skipped'

/**
 * Sends a message, or updates it if the service shows other content. A repeated call sends no second message, unless the
 * service cannot recognize the first one. Throws ChannelError if a request to the service fails.
 */
export type ShowIn<T extends ChannelType> = (showing: Showing<T>) => Promise<Shown>
