import { context, SpanKind, SpanStatusCode, trace, TraceFlags, type SpanContext } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { RunSpan } from '../domain/shared/trace-context.ts'
import { exportWithoutContent } from './exported-spans.ts'
import { SCOPE } from './spans.ts'

/** A process's traces. */
export interface Tracing {
  /** Exports a run's span. The span id was chosen when the run started, so that other spans can refer to it. */
  exportRun(span: RunSpan): void
  /** Sends the queued spans within a time limit. */
  close(): Promise<void>
}

/** Maximum number of queued spans. Further spans are dropped. */
const MAX_QUEUE = 2_048
const EXPORT_INTERVAL_MS = 1_000
const EXPORT_TIMEOUT_MS = 5_000
const CLOSE_MS = 3_000
/** Maximum length of an attribute, in characters. */
const MAX_ATTRIBUTE_LENGTH = 2_000
const MAX_ATTRIBUTES = 32

/**
 * Starts tracing in this process if an address is configured. Otherwise returns undefined. The exporter reads the
 * other OTLP settings from the environment, such as `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export function openTracing(
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>,
  process: 'api' | 'worker',
  log: Logger,
): Tracing | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = config
  if (!endpoint) return undefined
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS, concurrencyLimit: 2 })
  const processor = new BatchSpanProcessor({
    exporter: exportWithoutContent(exporter, log),
    maxQueueSize: MAX_QUEUE,
    scheduledDelayMillis: EXPORT_INTERVAL_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const resource = resourceFromAttributes({ 'service.name': `ganglion-${process}`, 'service.namespace': 'ganglion' })
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: ofRequests(ratio) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH, attributeCountLimit: MAX_ATTRIBUTES },
    spanProcessors: [processor],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return {
    exportRun: span => processor.onEnd(toReadableSpan(span, resource)),
    close: () => within(CLOSE_MS, provider.shutdown()),
  }
}

/**
 * Samples traces that start with requests. Other work, such as polling the outbox, would create traces with only a
 * single span.
 */
function ofRequests(ratio: number): Sampler {
  const requests = new TraceIdRatioBasedSampler(ratio)
  const others = new AlwaysOffSampler()
  return {
    shouldSample: (parent, traceId, _name, kind) =>
      kind === SpanKind.SERVER ? requests.shouldSample(parent, traceId) : others.shouldSample(),
    toString: () => `Requests{${ratio}}`,
  }
}

function toReadableSpan(run: RunSpan, resource: Resource): ReadableSpan {
  const toSpanContext = (spanId: string): SpanContext => ({
    traceId: run.traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: spanId !== run.spanId,
  })
  return {
    name: run.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => toSpanContext(run.spanId),
    parentSpanContext: toSpanContext(run.parentSpanId),
    startTime: toHrTime(run.startMs),
    endTime: toHrTime(run.endMs),
    duration: toHrTime(Math.max(0, run.endMs - run.startMs)),
    status: { code: run.hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { 'ganglion.job_id': run.jobId },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: SCOPE },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Converts milliseconds to seconds and nanoseconds. */
const toHrTime = (ms: number): [number, number] => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work.catch(() => undefined), promise])
  clearTimeout(timer)
}
