import { setTimeout as sleep } from 'node:timers/promises'
import type { JobEvent } from '../../domain/jobs.ts'
import type { JobSink } from '../../streams/stream-subscription.ts'
import type { JobEntry } from '../../streams/job-stream.ts'

export interface Collector extends JobSink {
  /** Everything that came, gaps as `gap`. */
  said: string[]
  ids: string[]
  gaps: { at: string; ends: boolean }[]
  isFinished: boolean
  isCaughtUp: boolean
}

const sayingOf = (event: JobEvent): string => (event.type === 'token' ? event.token : event.type)

/** A sink that remembers. */
export function collector(): Collector {
  const self: Collector = {
    said: [],
    ids: [],
    gaps: [],
    isFinished: false,
    isCaughtUp: false,
    entry(entry: JobEntry) {
      self.said.push(sayingOf(JSON.parse(entry.json) as JobEvent))
      self.ids.push(entry.id)
      return true
    },
    drained: () => Promise.resolve(),
    async gap(missing) {
      self.gaps.push(missing)
      self.said.push('gap')
    },
    async caughtUp() {
      self.isCaughtUp = true
    },
    finished: () => void (self.isFinished = true),
  }
  return self
}

/** Waits until something holds; fails after `timeoutMs`. */
export async function until(holds: () => boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${holds.toString()}`)
    await sleep(5)
  }
}

export const token = (text: string | number): JobEvent => ({ type: 'token', token: String(text) })
export const OPENING: JobEvent = { type: 'status', status: 'pending' }
export const COMPLETE: JobEvent = { type: 'complete', result: 'done' }
