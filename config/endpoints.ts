import type { Config } from './config.ts'

/** Where something that the configuration names listens. */
export interface Endpoint {
  /** Name or numeric address, IPv6 without brackets. */
  host: string
  port: number
  /** True when its public addresses may serve others too, as those of a provider do. */
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

/** Returns the endpoints of the components, of the API, of metrics and of the services that the configuration names. */
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
    ...metrics.map(port => ({ host: config.METRICS_HOST, port, isShared: false })),
    ...components.flatMap(url => parseEndpoints(url, false)),
    ...services.flatMap(url => parseEndpoints(url, true)),
  ]
}

/** Returns no endpoint for an absent URL and for a socket in the file system. */
function parseEndpoints(text: string | undefined, isShared: boolean): Endpoint[] {
  const url = URL.parse(text ?? '')
  if (!url?.hostname) return []
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return [{ host, port: Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0), isShared }]
}
