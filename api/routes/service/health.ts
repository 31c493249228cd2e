import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../domain/principal.ts'

export type ComponentState = 'ok' | 'down' | 'off'
export const COMPONENTS = ['postgres', 'redis', 'temporal', 'worker', 'elasticsearch', 'speech', 'models'] as const
export type Component = (typeof COMPONENTS)[number]

/** Resolves when the component answers. Null: it is not part of this installation. */
export type Probes = Record<Component, (() => Promise<void>) | null>
export type Health = Record<Component, ComponentState>

/** How long a component may take to answer, and how long its answer is good for, in milliseconds. */
const PROBE_MS = 1_000
const FRESH_MS = 1_000

/**
 * Asks all components at once. However often it is called, a component is asked at most once a second, and never
 * again before it has answered: one that hangs counts as down.
 */
export function createHealth(probes: Probes): () => Promise<Health> {
  const checks = COMPONENTS.map(name => [name, createCheck(probes[name])] as const)
  return async () => {
    const states = await Promise.all(checks.map(async ([name, check]) => [name, await check()] as const))
    return Object.fromEntries(states) as Health
  }
}

function createCheck(probe: (() => Promise<void>) | null): () => Promise<ComponentState> {
  if (!probe) return () => Promise.resolve('off')
  const ask = (): Promise<ComponentState> =>
    probe().then(
      () => 'ok',
      () => 'down',
    )
  return createBoundedQuestion(ask, 'down')
}

const MAX_COUNTED_WORKSPACES = 1_000

/** Counts the stuck runs of a workspace, asked for like a component; undefined while the count is not known. */
export function createStuckRuns(
  count: (principal: Principal) => Promise<number>,
): (principal: Principal) => Promise<number | undefined> {
  const questions = new LRUCache<string, () => Promise<number | undefined>>({ max: MAX_COUNTED_WORKSPACES })
  return principal => {
    const known = questions.get(principal.workspace_id)
    const question = known ?? createBoundedQuestion(() => count(principal).catch(() => undefined), undefined)
    if (!known) questions.set(principal.workspace_id, question)
    return question()
  }
}

/** Asks at most once a second, and not again before there is an answer; one that is late counts as `otherwise`. */
function createBoundedQuestion<T>(ask: () => Promise<T>, otherwise: T): () => Promise<T> {
  let asked = -Infinity
  let answer = Promise.resolve(otherwise)
  let pending = false
  return () => {
    if (!pending && Date.now() - asked >= FRESH_MS) {
      asked = Date.now()
      pending = true
      const asking = ask().finally(() => (pending = false))
      answer = Promise.race([asking, sleep(PROBE_MS, otherwise, { ref: false })])
    }
    return answer
  }
}
