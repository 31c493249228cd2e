import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../domain/access/principal.ts'
import { COMPONENTS } from '../../../contract/shared/health.ts'

export type ComponentState = 'ok' | 'down' | 'off'
export type Component = (typeof COMPONENTS)[number]

/** Resolves when the component responds. Null if this installation does not use the component. */
export type Probes = Record<Component, (() => Promise<void>) | null>
export type Health = Record<Component, ComponentState>

/** Time limit for a probe, and lifetime of its result, in milliseconds. */
const PROBE_MS = 1_000
const FRESH_MS = 1_000

/**
 * Probes all components in parallel. Each component is probed at most once a second and never concurrently. A
 * component that does not respond in time is reported as down.
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
  return createRateLimitedProbe(ask, 'down')
}

const MAX_COUNTED_WORKSPACES = 1_000

/**
 * Returns a function that counts something in a workspace, at most once a second. The count is undefined while
 * unknown.
 */
export function createWorkspaceCount(
  count: (principal: Principal) => Promise<number>,
): (principal: Principal) => Promise<number | undefined> {
  const probes = new LRUCache<string, () => Promise<number | undefined>>({ max: MAX_COUNTED_WORKSPACES })
  return principal => {
    const cachedProbe = probes.get(principal.workspace_id)
    const probe = cachedProbe ?? createRateLimitedProbe(() => count(principal).catch(() => undefined), undefined)
    if (!cachedProbe) probes.set(principal.workspace_id, probe)
    return probe()
  }
}

/**
 * Returns a function that calls `ask` at most once a second and never concurrently. If the result is late, the
 * function returns `otherwise`.
 */
function createRateLimitedProbe<T>(ask: () => Promise<T>, otherwise: T): () => Promise<T> {
  let startedAt = -Infinity
  let answer = Promise.resolve(otherwise)
  let pending = false
  return () => {
    if (!pending && Date.now() - startedAt >= FRESH_MS) {
      startedAt = Date.now()
      pending = true
      const result = ask().finally(() => (pending = false))
      answer = Promise.race([result, sleep(PROBE_MS, otherwise, { ref: false })])
    }
    return answer
  }
}
