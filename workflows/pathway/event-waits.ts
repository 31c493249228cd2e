import type { JsonValue } from '../../domain/json.ts'
import type { EngineEvent } from '../../domain/pathway/engine/commands.ts'
import type { WaitEventInput } from '../shared/messages.ts'

/** Events that no node waited for on arrival. Above the limit the oldest are dropped. */
export type BufferedEvents = WaitEventInput[]
const MAX_BUFFERED_EVENTS = 100

/** Matches named events with the `wait` nodes that wait for them, and buffers early events. */
export class EventWaits {
  private readonly waiting = new Map<string, string>()
  private bufferedEvents: BufferedEvents

  constructor(bufferedEvents: BufferedEvents = []) {
    this.bufferedEvents = bufferedEvents
  }

  /** Returns the key of the node that has waited longest. */
  firstKey(): string | undefined {
    const [key] = this.waiting.keys()
    return key
  }

  get size(): number {
    return this.waiting.size
  }

  /** Waits for an event. Returns the engine's event when the buffer has it already. */
  add(key: string, name: string): EngineEvent | undefined {
    const index = this.bufferedEvents.findIndex(event => event.name === name)
    if (index < 0) {
      this.waiting.set(key, name)
      return undefined
    }
    const [event] = this.bufferedEvents.splice(index, 1)
    return event && toArrivalEvent(key, event)
  }

  remove(key: string): boolean {
    return this.waiting.delete(key)
  }

  /** Passes an event to all nodes that wait for its name. */
  receive(event: WaitEventInput): EngineEvent[] {
    const keys = [...this.waiting].filter(([, name]) => name === event.name).map(([key]) => key)
    if (keys.length === 0) this.bufferedEvents = [...this.bufferedEvents, event].slice(-MAX_BUFFERED_EVENTS)
    for (const key of keys) this.waiting.delete(key)
    return keys.map(key => toArrivalEvent(key, event))
  }

  snapshot(): BufferedEvents {
    return this.bufferedEvents
  }
}

function toArrivalEvent(key: string, { name, data, by }: WaitEventInput): EngineEvent {
  const at = new Date().toISOString()
  const output: JsonValue = { at, event: { name, data: data ?? null, by } }
  return { type: 'completed', key, at, output }
}
