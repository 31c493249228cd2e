import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Events that wait in this process for Redis. */
export interface StreamQueue {
  events: number
  /** Milliseconds since the oldest of them was queued; 0 if there is none. */
  oldestMs: number
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Registers the gauges of what waits in this process to be written to the streams in Redis. */
export function createQueueMetrics(registry: Registry, read: () => StreamQueue): void {
  registerGauge(registry, {
    name: 'ganglion_stream_queued_events',
    help: 'Events of runs that wait in this process for Redis',
    read: () => read().events,
  })
  registerGauge(registry, {
    name: 'ganglion_stream_queue_oldest_age_seconds',
    help: 'Age of the oldest event that waits in this process for Redis',
    read: () => read().oldestMs / 1_000,
  })
}

/** Registers the gauge of runs whose latest changes wait in this process for Postgres. */
export function createProjectionMetrics(registry: Registry, countPending: () => number): void {
  registerGauge(registry, {
    name: 'ganglion_projection_pending_runs',
    help: 'Runs with changes that wait in this process for Postgres',
    read: countPending,
  })
}

/**
 * Registers what the API measures of streams to clients.
 * @returns a function that takes the milliseconds between the append of an event in Redis and its delivery
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
    help: 'Streams to clients that are open in this process',
    read: countStreams,
  })
  return ms => lag.observe(Math.max(0, ms) / 1_000)
}

/** Registers the counter of runs that have ended in this worker. */
export function createRunMetrics(registry: Registry): (outcome: string) => void {
  const endedRuns = new Counter({
    name: 'ganglion_runs_ended_total',
    help: 'Runs that this worker has ended, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return outcome => endedRuns.inc({ outcome })
}

/** Registers the gauge of the isolation of document readers in this worker. */
export function createReaderMetrics(registry: Registry, hasNamespaces: () => boolean): void {
  registerGauge(registry, {
    name: 'ganglion_reader_namespaces',
    help: '1 if document readers run in namespaces without a network, else 0',
    read: () => Number(hasNamespaces()),
  })
}

interface GaugeSettings {
  name: string
  help: string
  read: () => number
}

/** Registers a gauge that is read for each scrape. */
function registerGauge(registry: Registry, { name, help, read }: GaugeSettings): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) })
  registry.registerMetric(gauge)
}
