import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import { formatTraceparent, parseTraceparent, type TraceContext } from '../../../domain/shared/trace-context.ts'

/** The header and its form `{traceparent}` match Temporal's own OpenTelemetry interceptors. */
const TRACE_HEADER = '_tracer-data'

/** Returns the trace position of a start, an update or an activity, or undefined if there is none. */
export function readTraceHeader(headers: Headers): TraceContext | undefined {
  const payload = headers[TRACE_HEADER]
  if (!payload) return undefined
  try {
    return parseTraceparent(defaultPayloadConverter.fromPayload<{ traceparent?: unknown }>(payload).traceparent)
  } catch {
    return undefined // Anyone who can start workflows in the namespace can write headers. An invalid one must not stop the run.
  }
}

export const withTraceHeader = (headers: Headers, position: TraceContext): Headers => ({
  ...headers,
  [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent: formatTraceparent(position) }),
})
