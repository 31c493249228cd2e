import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Events in this process that are waiting to be written to Redis. */
export interface StreamQueue {
  events: number
  /** Milliseconds since the oldest event was queued, or 0 if no event is queued. */
  oldestMs: number
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Registers the gauges for events in this process that are waiting to be written to Redis. */
export function createQueueMetrics(registry: Registry, read: () => StreamQueue): void {
  registerGauge(registry, {
    name: 'ganglion_stream_queued_events',
    help: 'Run events in this process waiting to be written to Redis',
    read: () => read().events,
  })
  registerGauge(registry, {
    name: 'ganglion_stream_queue_oldest_age_seconds',
    help: 'Age of the oldest event in this process waiting to be written to Redis',
    read: () => read().oldestMs / 1_000,
  })
}

/** Registers the gauge for runs whose changes are waiting to be written to Postgres. */
export function createProjectionMetrics(registry: Registry, countPending: () => number): void {
  registerGauge(registry, {
    name: 'ganglion_projection_pending_runs',
    help: 'Runs with changes in this process waiting to be written to Postgres',
    read: countPending,
  })
}

/**
 * Registers the API metrics for client streams.
 * @returns a function that records the milliseconds between appending an event in Redis and delivering it
 */
export function createDeliveryMetrics(registry: Registry, countStreams: () => number): (ms: number) => void {
  const lag = new Histogram({
    name: 'ganglion_stream_delivery_lag_seconds',
    help: 'Time from the append of an event in Redis until this process delivers it',
    buckets: SECONDS,
    registers: [registry],
  })
  registerGauge(registry, {
    name: 'ganglion_open_streams',
    help: 'Open client streams in this process',
    read: countStreams,
  })
  return ms => lag.observe(Math.max(0, ms) / 1_000)
}

/** Registers the counter for runs that ended in this worker. */
export function createRunMetrics(registry: Registry): (outcome: string) => void {
  const endedRuns = new Counter({
    name: 'ganglion_runs_ended_total',
    help: 'Runs that ended in this worker, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return outcome => endedRuns.inc({ outcome })
}

/** Registers the gauge that reports whether this worker's document readers are isolated. */
export function createReaderMetrics(registry: Registry, hasNamespaces: () => boolean): void {
  registerGauge(registry, {
    name: 'ganglion_reader_namespaces',
    help: '1 if document readers run in namespaces without a network, otherwise 0',
    read: () => Number(hasNamespaces()),
  })
}

interface GaugeSettings {
  name: string
  help: string
  read: () => number
}

/** Registers a gauge whose value is read on each scrape. */
function registerGauge(registry: Registry, { name, help, read }: GaugeSettings): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) })
  registry.registerMetric(gauge)
}
