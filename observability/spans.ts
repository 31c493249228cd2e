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

/** Instrumentation scope for the spans that this code creates. */
export const SCOPE = 'ganglion'

export interface SpanDetails {
  name: string
  kind?: SpanKind
  /** Must not contain user content. */
  attributes?: Attributes
}

/**
 * Runs work in a span if the parent span is recorded. Without tracing, the only cost is a context lookup, and
 * `describe` is not called. Spans never contain error messages, because the messages may quote user input.
 */
export function inSpan<T>(describe: () => SpanDetails, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan()?.isRecording() ? startSpan(describe(), context.active(), work) : work()
}

/** Runs work in a span whose parent is in another process. Without a parent, the span starts a new trace. */
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

/** Returns the caller's position in its trace, or undefined without tracing. */
export function findTraceContext(): TraceContext | undefined {
  const spanContext = trace.getActiveSpan()?.spanContext()
  if (!spanContext || !trace.isSpanContextValid(spanContext)) return undefined
  const { traceId, spanId, traceFlags } = spanContext
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }
}

/** Binds a listener to the caller's trace, because the listener is called outside of that trace. */
export const bindTrace = (listener: () => void): (() => void) => context.bind(context.active(), listener)
