import { setTimeout as sleep } from 'node:timers/promises'

export type ComponentState = 'ok' | 'down' | 'off'
export const COMPONENTS = ['postgres', 'redis', 'temporal', 'elasticsearch', 'speech', 'models'] as const
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
  let asked = -Infinity
  let answer: Promise<ComponentState> = Promise.resolve('off')
  let pending = false
  if (!probe) return () => answer

  async function ask(ping: () => Promise<void>): Promise<ComponentState> {
    pending = true
    try {
      await ping()
      return 'ok'
    } catch {
      return 'down'
    } finally {
      pending = false
    }
  }

  return () => {
    if (!pending && Date.now() - asked >= FRESH_MS) {
      asked = Date.now()
      answer = Promise.race([ask(probe), sleep(PROBE_MS, 'down' as const, { ref: false })])
    }
    return answer
  }
}
