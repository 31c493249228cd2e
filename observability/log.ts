import { type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { findTraceContext } from './spans.ts'

/** Creates a process's log. With tracing, log lines contain `trace_id` and `span_id`. */
export function createLog(
  { LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT }: Pick<Config, 'LOG_LEVEL' | 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  process: 'api' | 'worker',
): Logger {
  const options = { level: LOG_LEVEL, base: { process } }
  return pino(OTEL_EXPORTER_OTLP_ENDPOINT ? { ...options, mixin: listTraceFields } : options)
}

function listTraceFields(): object {
  const context = findTraceContext()
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {}
}
