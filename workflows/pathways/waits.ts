import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { EngineEvent } from '../../domain/pathways/engine/commands.ts'
import { now } from '../shared/deterministic.ts'
import type { EventReply, WaitEventInput } from '../shared/run/messages.ts'

/** Events that arrived before a node waited for them. Above the limit, the oldest events are dropped. */
export type BufferedEvents = WaitEventInput[]
const MAX_BUFFERED_EVENTS = 100

/** A run in a shorter timed wait stays `running`, because a loop that polls every few seconds counts as working. */
const MIN_WAITING_MS = 60_000

/** The `wait` nodes that make a run `waiting`. Matches them with named events and buffers early events. */
export class Waits {
  /** Name of the awaited event by node key. Undefined if the node waits for a time. */
  private readonly waiting = new Map<string, string | undefined>()
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

  addTime(key: string, until: string): void {
    if (Date.parse(until) - Date.now() >= MIN_WAITING_MS) this.waiting.set(key, undefined)
  }

  /** Starts waiting for an event. If it is already buffered, returns the engine's event. */
  addEvent(key: string, name: string): EngineEvent | undefined {
    const index = this.bufferedEvents.findIndex(event => event.name === name)
    if (index < 0) {
      this.waiting.set(key, name)
      return undefined
    }
    const [event] = this.bufferedEvents.splice(index, 1)
    return event && createArrivalEvent(key, event)
  }

  remove(key: string): boolean {
    return this.waiting.delete(key)
  }

  /** Passes an event to all nodes that wait for its name. */
  receive(event: WaitEventInput): EventReply & { arrivals: EngineEvent[] } {
    const keys = [...this.waiting].filter(([, name]) => name === event.name).map(([key]) => key)
    if (keys.length === 0) this.bufferedEvents = [...this.bufferedEvents, event].slice(-MAX_BUFFERED_EVENTS)
    for (const key of keys) this.waiting.delete(key)
    return { delivered_to: keys, kept: keys.length === 0, arrivals: keys.map(key => createArrivalEvent(key, event)) }
  }

  snapshot(): BufferedEvents {
    return this.bufferedEvents
  }
}

/** Creates the event that ends a wait. Without an event name, the wait ends early. */
export function createArrivalEvent(
  key: string,
  { name, data, by }: Pick<WaitEventInput, 'data' | 'by'> & { name?: string },
): EngineEvent {
  const at = now()
  const output: JsonValue = name === undefined ? { at, by } : { at, event: { name, data: data ?? null, by } }
  return { type: 'completed', key, at, output }
}
