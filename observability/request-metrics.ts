import { Histogram, type Registry } from 'prom-client'

export interface RequestMetrics {
  /** @param seconds from the first byte of the request to the last byte of the response */
  observe(request: ObservedRequest, seconds: number): void
}

interface ObservedRequest {
  method: string
  /** The route's declared path, such as `/v1/jobs/:jobId`. Undefined if no route matches. */
  route?: string
  /** Undefined if the client has disconnected. */
  status?: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Registers request metrics. Labels have few distinct values, so they contain no paths, ids or caller input. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const durations = new Histogram({
    name: 'ganglion_http_request_duration_seconds',
    help: 'Request duration by method, route and status class, until the response is sent or the stream is open',
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
