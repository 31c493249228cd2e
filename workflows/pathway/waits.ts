import type { JsonValue } from '../../domain/json.ts'
import type { EngineEvent } from '../../domain/pathway/engine/commands.ts'
import type { WaitEventInput } from '../run/messages.ts'

/** Events that came before anything waited for them, by name; the oldest go when there are too many. */
export type EarlyEvents = WaitEventInput[]
const MAX_EARLY = 100

/** Named events and the `wait` nodes that wait for them. An event that comes early is kept for its node. */
export class Waits {
  private readonly waiting = new Map<string, string>()
  private early: EarlyEvents

  constructor(early: EarlyEvents = []) {
    this.early = early
  }

  /** The key of the node that has waited longest. */
  firstKey(): string | undefined {
    const [key] = this.waiting.keys()
    return key
  }

  get size(): number {
    return this.waiting.size
  }

  /** Waits for an event; gives the engine's event at once when it has already come. */
  add(key: string, name: string): EngineEvent | undefined {
    const index = this.early.findIndex(event => event.name === name)
    if (index < 0) {
      this.waiting.set(key, name)
      return undefined
    }
    const [event] = this.early.splice(index, 1)
    return event && arrival(key, event)
  }

  remove(key: string): boolean {
    return this.waiting.delete(key)
  }

  /** An event has come: it goes to every node that waits for its name. */
  arrive(event: WaitEventInput): EngineEvent[] {
    const keys = [...this.waiting].filter(([, name]) => name === event.name).map(([key]) => key)
    if (keys.length === 0) this.early = [...this.early, event].slice(-MAX_EARLY)
    for (const key of keys) this.waiting.delete(key)
    return keys.map(key => arrival(key, event))
  }

  snapshot(): EarlyEvents {
    return this.early
  }
}

function arrival(key: string, { name, data, by }: WaitEventInput): EngineEvent {
  const at = new Date().toISOString()
  const output: JsonValue = { at, event: { name, data: data ?? null, by } }
  return { type: 'completed', key, at, output }
}
