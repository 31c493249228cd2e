import { Histogram, type Registry } from 'prom-client'
import type { ObserveProviderCall } from '../domain/agents/provider-calls.ts'

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** Registers the histogram of provider requests. Model names are not a label, because users can enter any name. */
export function createProviderMetrics(registry: Registry): ObserveProviderCall {
  const durations = new Histogram({
    name: 'ganglion_provider_request_duration_seconds',
    help: 'Requests to model, embedding and speech providers, by outcome: ok, cancelled or an error code',
    labelNames: ['service', 'provider', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  })
  return ({ seconds, ...labels }) => durations.observe(labels, seconds)
}
