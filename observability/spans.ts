import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import type { TraceContext } from '../domain/shared/trace-context.ts'

/** The instrumentation scope of the spans that this code makes. */
export const SCOPE = 'ganglion'

export interface SpanDetails {
  name: string
  kind?: SpanKind
  /** Must hold no content of users. */
  attributes?: Attributes
}

/**
 * Runs work in a span, if it belongs to a span that is recorded. Without tracing, this is one look at the context, and
 * `describe` is not called. Spans never hold messages of errors: they may quote what users sent.
 */
export function inSpan<T>(describe: () => SpanDetails, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan()?.isRecording() ? startSpan(describe(), context.active(), work) : work()
}

/** Runs work in a span whose parent is in another process. Without a parent, the span begins a trace. */
export const inRemoteSpan = <T>(
  details: SpanDetails,
  parent: TraceContext | undefined,
  work: (span: Span) => Promise<T>,
): Promise<T> => startSpan(details, toContext(parent), work)

async function startSpan<T>(
  { name, kind = SpanKind.INTERNAL, attributes }: SpanDetails,
  parent: Context,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return trace.getTracer(SCOPE).startActiveSpan(name, { kind, attributes }, parent, async span => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error)
      throw error
    } finally {
      span.end()
    }
  })
}

function toContext(parent: TraceContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = parent
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** Returns the position of the caller in its trace, or undefined without tracing. */
export function findTraceContext(): TraceContext | undefined {
  const spanContext = trace.getActiveSpan()?.spanContext()
  if (!spanContext || !trace.isSpanContextValid(spanContext)) return undefined
  const { traceId, spanId, traceFlags } = spanContext
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }
}

/** Keeps the trace of the caller for a listener that is called outside of it. */
export const bindTrace = (listener: () => void): (() => void) => context.bind(context.active(), listener)
