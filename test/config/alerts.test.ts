import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { Registry } from 'prom-client'
import { createBacklogMetrics } from '../../observability/backlog-metrics.ts'
import { createProviderMetrics } from '../../observability/provider-metrics.ts'
import { createRequestMetrics } from '../../observability/request-metrics.ts'
import { createServiceMetrics } from '../../observability/service-metrics.ts'
import {
  createDeliveryMetrics,
  createProjectionMetrics,
  createQueueMetrics,
  createReaderMetrics,
  createRunMetrics,
} from '../../observability/stream-metrics.ts'

interface Alert {
  alert: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const exists = (path: string) => existsSync(join(import.meta.dirname, '../..', path))
const rules = load(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
const alerts = rules.groups.flatMap(group => group.rules)
const page = read('docs/operate/monitoring.md')

test.each(alerts.map(alert => [alert.alert, alert]))('%s has a runbook that names the alert', (name, alert) => {
  expect(['page', 'ticket']).toContain(alert.labels.severity)
  expect(alert.annotations.summary).not.toBe('')
  expect(exists(alert.annotations.runbook)).toBe(true)
  expect(read(alert.annotations.runbook)).toContain(`\`${name}\``)
})

test('the monitoring page lists the alerts with their severity and runbook', () => {
  const rows = [...page.matchAll(/^\| `(Ganglion\w+)` +\| (\w+) +\| .* \| \[.*\]\((.*)\) +\|$/gm)].map(row =>
    row.slice(1),
  )
  const expected = alerts.map(({ alert, labels, annotations }) => [
    alert,
    labels.severity,
    annotations.runbook.replace('docs/operate/', ''),
  ])
  const byName = (one: string[], other: string[]) => (one[0] ?? '').localeCompare(other[0] ?? '')
  expect(rows.toSorted(byName)).toEqual(expected.toSorted(byName))
})

test('the monitoring page lists the metrics of the registries', () => {
  const registry = new Registry()
  const never = () => new Promise<never>(() => undefined)
  createBacklogMetrics(registry, never, { hasIndex: true })
  createServiceMetrics(registry, { readHealth: never, countStuckRuns: never, readRetentionAge: never })
  createRequestMetrics(registry)
  createProviderMetrics(registry)
  createQueueMetrics(registry, () => ({ events: 0, oldestMs: 0 }))
  createProjectionMetrics(registry, () => 0)
  createDeliveryMetrics(registry, () => 0)
  createReaderMetrics(registry, () => true)
  createRunMetrics(registry)
  const listed = [...page.matchAll(/^\| `(ganglion_\w+)` +\|/gm)].map(([, name = '']) => name)
  const registered = registry.getMetricsAsArray().map(({ name }) => name)
  expect(listed.toSorted()).toEqual(registered.toSorted())
})
