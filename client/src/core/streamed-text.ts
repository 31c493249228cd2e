/** The events that change a streamed text. */
interface TextEvent {
  type: string
  token?: string
  key?: string
  /** Id of a child run. */
  job_id?: string
}

/** The text of a run as it is written. */
export class StreamedText {
  #pieces: { key: string; text: string }[] = []

  /** Applies an event of the run's stream. Returns whether it may have changed the text. */
  apply(event: TextEvent): boolean {
    const { type, token = '' } = event
    const key = buildNodeKey(event)
    const last = this.#pieces.at(-1)
    if (type === 'token' && last?.key === key) last.text += token
    else if (type === 'token') this.#pieces.push({ key, text: token })
    // The next attempt streams the node's text again from the start.
    else if (type === 'attempt_reset') this.#pieces = this.#pieces.filter(piece => piece.key !== key)
    else if (type === 'gap') this.#pieces = []
    else return false
    return true
  }

  toString(): string {
    return this.#pieces.map(({ text }) => text).join('')
  }
}

/** Keys are unique only within a run, so the child run's id is part of the key. */
const buildNodeKey = ({ job_id = '', key = '' }: TextEvent) => `${job_id} ${key}`
