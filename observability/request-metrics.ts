import { Histogram, type Registry } from 'prom-client'

export interface RequestMetrics {
  /** @param seconds from the first byte of the request to the last one of the response */
  observe(request: ObservedRequest, seconds: number): void
}

interface ObservedRequest {
  method: string
  /** The path as the route declares it, such as `/v1/jobs/:jobId`. Undefined where no route fits. */
  route?: string
  /** Undefined when the client has left. */
  status?: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Labels have few values: no path, no id, no text of a caller. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const durations = new Histogram({
    name: 'ganglion_http_request_duration_seconds',
    help: 'Requests by method, route and class of status, until the response is sent or the stream is open',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  return {
    observe({ method, route = 'none', status }, seconds) {
      const labels = { method: METHODS.has(method) ? method : 'other', route, status: getStatusClass(status) }
      durations.observe(labels, seconds)
    },
  }
}

const getStatusClass = (status: number | undefined): string =>
  status === undefined ? 'aborted' : `${Math.floor(status / 100)}xx`
