import { Gauge, type Registry } from 'prom-client'
import type { Backlog, BacklogSize } from '../domain/shared/backlog.ts'

type Labels = Record<string, string>

/**
 * Registers the gauges for the database backlog. While the database is unavailable, the gauges have no values,
 * because an outdated number would hide the failure. Without a search index, there are no gauges for it.
 */
export function createBacklogMetrics(
  registry: Registry,
  read: () => Promise<Backlog | undefined>,
  { hasIndex }: { hasIndex: boolean },
): void {
  function register(
    name: string,
    help: string,
    labelNames: string[],
    list: (backlog: Backlog) => [labels: Labels, size: BacklogSize][],
  ): void {
    const define = (suffix: string, subject: string, toValue: (size: BacklogSize) => number) =>
      new Gauge({
        name: `ganglion_${name}${suffix}`,
        help: `${subject} ${help}`,
        labelNames,
        registers: [registry],
        async collect() {
          const backlog = await read()
          this.reset()
          if (labelNames.length === 0) this.remove() // prom-client resets the gauge to 0, which would look like a value.
          for (const [labels, size] of backlog ? list(backlog) : []) this.set(labels, toValue(size))
        },
      })
    define('', 'Number of', size => size.total)
    define('_oldest_age_seconds', 'Age of the oldest entry among', size => size.oldestSeconds)
  }

  register('open_runs', 'open runs, by status', ['status'], ({ runs }) =>
    Object.entries(runs).map(([status, size]) => [{ status }, size]),
  )
  register('open_interventions', 'open interventions (tasks)', [], ({ interventions }) => [[{}, interventions]])
  if (hasIndex)
    register('index_failures', 'changes that the search index rejected and that will be retried', [], backlog => [
      [{}, backlog.index_failures],
    ])
  register('outbox_rows', 'changes waiting to be published or indexed, by outbox', ['outbox'], backlog =>
    Object.entries({
      events: backlog.events,
      ...(hasIndex && { search: backlog.index_entries }),
      webhooks: backlog.webhook_starts,
    }).map(([outbox, size]) => [{ outbox }, size]),
  )
}
