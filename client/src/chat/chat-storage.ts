/** Storage for conversations, such as `localStorage`. */
export type ChatStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A message that the service may or may not have accepted. Sending it again with its key has no second effect. */
export interface PendingMessage {
  key: string
  body: { message: string; trace_id?: string; files?: string[] }
  /** Names of the files. */
  fileNames?: string[]
  /** When the message was written, in milliseconds since 1970. */
  at: number
}

interface StoredChat {
  traceId?: string
  pending?: PendingMessage
}

/** The service remembers an Idempotency-Key for 24 hours. */
const MAX_AGE_MS = 23 * 3_600_000
/** Length of the part of a share token that is not secret. It is unique. */
const PREFIX_LENGTH = 35

/** Stores the conversation of a receptor and a share token. Without storage, for example if it is blocked, stores nothing. */
export class ChatStore {
  readonly #storage: ChatStorage | undefined
  readonly #name: string

  constructor({
    receptor,
    shareToken,
    storage,
  }: {
    receptor: string
    shareToken: string
    storage?: ChatStorage | null
  }) {
    this.#storage = storage === undefined ? findLocalStorage() : (storage ?? undefined)
    this.#name = `ganglion-chat:${receptor}:${shareToken.slice(0, PREFIX_LENGTH)}`
  }

  read(): StoredChat {
    try {
      const { traceId, pending } = JSON.parse(this.#storage?.getItem(this.#name) ?? '{}') as StoredChat
      return { traceId, pending: pending && Date.now() - pending.at < MAX_AGE_MS ? pending : undefined }
    } catch {
      return {}
    }
  }

  write(chat: StoredChat): void {
    try {
      if (chat.traceId ?? chat.pending) this.#storage?.setItem(this.#name, JSON.stringify(chat))
      else this.#storage?.removeItem(this.#name)
    } catch {
      // The storage is full or blocked. The conversation continues without it.
    }
  }
}

function findLocalStorage(): ChatStorage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
