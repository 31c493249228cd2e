import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { SCOPE } from './spans.ts'

/** Library attributes that are exported. Other attributes may contain user content, such as a search text. */
const KNOWN_ATTRIBUTES = new Set([
  'db.system',
  'db.operation.name',
  'db.response.status_code',
  'http.request.method',
  'server.address',
  'server.port',
  'error.type',
])

/**
 * Exports spans without events, error messages and unknown library attributes. Logs the first failure in a series,
 * and the recovery.
 */
export function exportWithoutContent(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false

  function report(err: Error | undefined): void {
    const hasFailed = err !== undefined
    if (hasFailed === isFailing) return
    isFailing = hasFailed
    if (isFailing) log.warn({ err }, 'exporting spans failed; spans are dropped until it recovers')
    else log.info('exporting spans recovered')
  }

  return {
    export(spans, callback) {
      exporter.export(spans.map(withoutContent), result => {
        report(result.error)
        callback(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

/** The original span stays unchanged, because the copy only reads from it. */
function withoutContent(span: ReadableSpan): ReadableSpan {
  const { attributes, status, instrumentationScope } = span
  const exported = instrumentationScope.name === SCOPE ? attributes : selectKnown(attributes)
  return Object.create(span, {
    attributes: { value: exported },
    events: { value: [] },
    status: { value: { code: status.code } },
  }) as ReadableSpan
}

const selectKnown = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => KNOWN_ATTRIBUTES.has(name)))
