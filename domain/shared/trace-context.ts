/** The position of work in a trace, as in W3C Trace Context: https://www.w3.org/TR/trace-context */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits: the span of the work. */
  spanId: string
  /** Whether the spans of the trace are recorded. */
  isSampled: boolean
}

const FORM = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/
const SAMPLED = 1

/** Parses a `traceparent`. Returns undefined unless it is a valid version 00. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags = '00'] = typeof text === 'string' ? (FORM.exec(text) ?? []) : []
  return traceId && spanId ? { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED } : undefined
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** The span of a run, as reported by its workflow at the end. */
export interface RunSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string
  /** Unix time in milliseconds. */
  startMs: number
  endMs: number
  hasFailed: boolean
  jobId: string
}
