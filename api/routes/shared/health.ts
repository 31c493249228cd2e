import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Principal } from '../../../domain/access/principal.ts'
import { COMPONENTS, REQUIRED_COMPONENTS } from '../../../contract/shared/health.ts'
import { createRateLimitedProbe } from '../../../services/shared/rate-limited-probe.ts'

export type ComponentState = 'ok' | 'down' | 'off'
export type Component = (typeof COMPONENTS)[number]
export type RequiredComponent = (typeof REQUIRED_COMPONENTS)[number]

/** Resolves when the component responds. Null if this installation does not use the component. */
export type Probes = Record<Component, (() => Promise<void>) | null>
export type Health = Record<Component, ComponentState>

/** Returns the states of these components. */
export type ReadHealth = <C extends Component>(names: readonly C[]) => Promise<Record<C, ComponentState>>

/**
 * Probes components in parallel. Each component is probed at most once a second and never concurrently. A component
 * that does not respond in time is reported as down.
 */
export function createHealth(probes: Probes): ReadHealth {
  const checks = Object.fromEntries(COMPONENTS.map(name => [name, createCheck(probes[name])])) as Record<
    Component,
    () => Promise<ComponentState>
  >
  return async <C extends Component>(names: readonly C[]) => {
    const states = await Promise.all(names.map(async name => [name, await checks[name]()] as const))
    return Object.fromEntries(states) as Record<C, ComponentState>
  }
}

/**
 * Returns a function that lists the required components that are down. Logs a warning when the first one is missing, and
 * a message when none is missing again.
 */
export function createReadiness(health: ReadHealth, log: Logger): () => Promise<RequiredComponent[]> {
  let wasReady = true
  return async () => {
    const states = await health(REQUIRED_COMPONENTS)
    const missing = REQUIRED_COMPONENTS.filter(name => states[name] !== 'ok')
    const isReady = missing.length === 0
    if (wasReady && !isReady) log.warn({ missing }, 'API is not ready')
    if (!wasReady && isReady) log.info('API is ready again')
    wasReady = isReady
    return missing
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
