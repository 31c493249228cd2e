import { Gauge, type Registry } from 'prom-client'

export interface ServiceSources {
  /** Returns the state of each component. Components that are not in use are `off`. */
  readHealth: () => Promise<Record<string, 'ok' | 'down' | 'off'>>
  /** Counts the runs in all workspaces that make no progress. Rejects if Temporal does not respond. */
  countStuckRuns: () => Promise<number>
  /** Returns the seconds since the last retention run started. Rejects if Temporal does not respond. */
  readRetentionAge: () => Promise<number>
}

/** Temporal is queried at most once in this period. */
const MAX_AGE_MS = 60_000

/**
 * Registers the gauges for the state of the components and of work in Temporal. A gauge has no value while its value
 * is unknown.
 */
export function createServiceMetrics(registry: Registry, sources: ServiceSources): void {
  registry.registerMetric(
    new Gauge({
      name: 'ganglion_component_up',
      help: '1 if a component responds to this process, 0 if it does not, by component',
      labelNames: ['component'],
      registers: [],
      async collect() {
        for (const [component, state] of Object.entries(await sources.readHealth()))
          if (state !== 'off') this.set({ component }, Number(state === 'ok'))
      },
    }),
  )
  registerKnown('ganglion_stuck_runs', 'Open runs that make no progress', sources.countStuckRuns)
  registerKnown(
    'ganglion_retention_age_seconds',
    'Seconds since the last retention run started, or since the schedule was created',
    sources.readRetentionAge,
  )

  function registerKnown(name: string, help: string, read: () => Promise<number>): void {
    const readRecent = remember(read)
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const value = await readRecent()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
    registry.registerMetric(gauge)
  }
}

/** Returns a function that reads at most once per period. Its value is undefined if the read fails. */
function remember(read: () => Promise<number>): () => Promise<number | undefined> {
  let recent: Promise<number | undefined> | undefined
  let readAt = 0
  return () => {
    if (!recent || Date.now() - readAt > MAX_AGE_MS) {
      readAt = Date.now()
      recent = read().catch(() => {
        readAt = 0
        return undefined
      })
    }
    return recent
  }
}
