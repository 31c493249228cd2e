import { Histogram, type Registry } from 'prom-client'
import type { ObserveProviderCall } from '../domain/agents/provider-calls.ts'

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** Registers the histogram of requests to providers. Models are no label: users may name any. */
export function createProviderMetrics(registry: Registry): ObserveProviderCall {
  const durations = new Histogram({
    name: 'ganglion_provider_request_duration_seconds',
    help: 'Requests to providers of models, vectors and transcripts, by outcome: ok, cancelled or an error code',
    labelNames: ['service', 'provider', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  })
  return ({ seconds, ...labels }) => durations.observe(labels, seconds)
}
