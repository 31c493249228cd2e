import type { Config } from './config.ts'

/** Address of a service that the configuration names. */
export interface Endpoint {
  /** Name or numeric address. IPv6 addresses are written without brackets. */
  host: string
  port: number
  /** True if other customers may share the public addresses, as with a provider. */
  isShared: boolean
}

const DEFAULT_PORTS: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'temporal:': 7233,
}

/**
 * Returns the endpoints of the components, of the API, of the metrics and health servers and of all services in the
 * configuration.
 */
export function listEndpoints(config: Config): Endpoint[] {
  const components = [
    config.DATABASE_URL,
    config.DATABASE_ADMIN_URL,
    config.REDIS_URL,
    config.ELASTICSEARCH_URL,
    `temporal://${config.TEMPORAL_ADDRESS}`,
  ]
  const services = [
    config.TEMPORAL_UI_URL,
    config.SPEECH_URL,
    config.EMBEDDING_BASE_URL,
    config.MODEL_BASE_URL,
    config.OPENAI_BASE_URL,
    config.ANTHROPIC_BASE_URL,
    config.GOOGLE_BASE_URL,
    config.OTEL_EXPORTER_OTLP_ENDPOINT,
  ]
  const metrics = [config.METRICS_PORT, config.WORKER_METRICS_PORT].filter(port => port !== undefined)
  return [
    { host: config.HOST, port: config.PORT, isShared: false },
    ...(config.WORKER_HEALTH_PORT === undefined
      ? []
      : [{ host: config.WORKER_HEALTH_HOST, port: config.WORKER_HEALTH_PORT, isShared: false }]),
    ...metrics.map(port => ({ host: config.METRICS_HOST, port, isShared: false })),
    ...components.flatMap(url => parseEndpoints(url, false)),
    ...services.flatMap(url => parseEndpoints(url, true)),
  ]
}

/** Returns an empty list if the URL is missing or names a file system socket. */
function parseEndpoints(text: string | undefined, isShared: boolean): Endpoint[] {
  const url = URL.parse(text ?? '')
  if (!url?.hostname) return []
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return [{ host, port: Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0), isShared }]
}
