import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { EngineEvent } from '../../domain/pathways/engine/commands.ts'
import { now } from '../shared/deterministic.ts'
import type { EventReply, WaitEventInput } from '../shared/run/messages.ts'

/** Events that no node waited for on arrival. Above the limit the oldest are dropped. */
export type BufferedEvents = WaitEventInput[]
const MAX_BUFFERED_EVENTS = 100

/** A run in a shorter wait for a time remains `running`: a loop that asks again every few seconds is at work. */
const MIN_WAITING_MS = 60_000

/** The `wait` nodes that make a run `waiting`. Matches named events with them, and buffers early events. */
export class Waits {
  /** The name of the awaited event by node key; undefined for a time. */
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

  /** Waits for an event. Returns the engine's event when the buffer has it already. */
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

/** Ends a wait with an event; without a name, before its time. */
export function createArrivalEvent(
  key: string,
  { name, data, by }: Pick<WaitEventInput, 'data' | 'by'> & { name?: string },
): EngineEvent {
  const at = now()
  const output: JsonValue = name === undefined ? { at, by } : { at, event: { name, data: data ?? null, by } }
  return { type: 'completed', key, at, output }
}
