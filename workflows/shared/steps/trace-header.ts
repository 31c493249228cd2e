import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import { formatTraceparent, parseTraceparent, type TraceContext } from '../../../domain/shared/trace-context.ts'

/** The header, and its form `{traceparent}`, are those of Temporal's own interceptors for OpenTelemetry. */
const TRACE_HEADER = '_tracer-data'

/** Returns the position in its trace of a start, an update or an activity; undefined if it has none. */
export function readTraceHeader(headers: Headers): TraceContext | undefined {
  const payload = headers[TRACE_HEADER]
  if (!payload) return undefined
  try {
    return parseTraceparent(defaultPayloadConverter.fromPayload<{ traceparent?: unknown }>(payload).traceparent)
  } catch {
    return undefined // All who may start workflows in the namespace write headers. A wrong one must not stop the run.
  }
}

export const withTraceHeader = (headers: Headers, position: TraceContext): Headers => ({
  ...headers,
  [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent: formatTraceparent(position) }),
})
