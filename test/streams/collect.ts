import { setTimeout as sleep } from 'node:timers/promises'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { JobEntry, JobEventSink } from '../../domain/runs/job-event-source.ts'
import { PATIENCE_MS } from '../support/stack/process.ts'

export interface Collector extends JobEventSink {
  /** All events as strings: the text of a token event, and the type of any other event. */
  received: string[]
  ids: string[]
  gaps: { at: string; ends: boolean }[]
  isFinished: boolean
  isCaughtUp: boolean
}

const describeEvent = (event: JobEvent): string => (event.type === 'token' ? event.token : event.type)

/** Creates a sink that collects every event it receives. */
export function createCollector(): Collector {
  const self: Collector = {
    received: [],
    ids: [],
    gaps: [],
    isFinished: false,
    isCaughtUp: false,
    onEvent(entry: JobEntry) {
      self.received.push(describeEvent(JSON.parse(entry.json) as JobEvent))
      self.ids.push(entry.id)
      return true
    },
    whenDrained: () => Promise.resolve(),
    async onGap(gap) {
      self.gaps.push(gap)
      self.received.push('gap')
    },
    async onCaughtUp() {
      self.isCaughtUp = true
    },
    onAlreadyEnded: () => void (self.isFinished = true),
  }
  return self
}

/** Waits until `holds` returns true. Fails after `timeoutMs`. */
export async function until(holds: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${holds.toString()}`)
    await sleep(5)
  }
}

export const token = (text: string | number): JobEvent => ({ type: 'token', token: String(text) })
export const OPENING: JobEvent = { type: 'status', status: 'pending' }
export const COMPLETE: JobEvent = { type: 'complete', result: 'done' }
