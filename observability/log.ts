import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Config } from '../config/config.ts'
import { findTraceContext } from './spans.ts'

type LogSettings = Pick<Config, 'LOG_LEVEL' | 'OTEL_EXPORTER_OTLP_ENDPOINT'>

/**
 * Creates a process's log. With tracing, log lines contain `trace_id` and `span_id`.
 * @param destination receives the lines, instead of standard output
 */
export function createLog(
  { LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT }: LogSettings,
  process: 'api' | 'worker',
  destination?: { write(line: string): void },
): Logger {
  const options = {
    level: LOG_LEVEL,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { err: describeError },
    ...(OTEL_EXPORTER_OTLP_ENDPOINT && { mixin: listTraceFields }),
  }
  return destination ? pino(options, destination) : pino(options)
}

function listTraceFields(): object {
  const context = findTraceContext()
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {}
}

/**
 * Selects the fields of an error that are safe to log. The errors of client libraries have other fields that contain
 * requests, SQL values or prompts.
 */
function describeError(error: Error | undefined): object | undefined {
  if (!error) return undefined
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message, stack, code }
}
