import type { IncomingMessage, ServerResponse } from 'node:http'
import protobuf from 'protobufjs'
import { startHttpServer, type TestServer } from '../stack/http-server.ts'

/** A span as it arrived, with its attributes as text. */
export interface ReceivedSpan {
  service: string
  scope: string
  name: string
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentSpanId: string
  attributes: Record<string, string>
  events: number
  /** 2 means an error. */
  status: number
  message: string
}

/** Receives OTLP/HTTP, as a collector does. */
export interface TraceReceiver extends TestServer {
  spans: ReceivedSpan[]
  /** The bytes of all requests, as text. */
  raw(): string
  /** The headers of all requests. */
  headers: Record<string, unknown>[]
  /** While set, the receiver rejects requests. */
  refuses: boolean
}

/** The OTLP fields that the tests read. Other fields are skipped. See opentelemetry/proto/trace/v1/trace.proto. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
    repeated KeyValue attributes = 9; repeated Event events = 11; Status status = 15;
  }
  message Event { string name = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`)
const REQUEST = root.lookupType('Request')

interface KeyValue {
  key: string
  value: Record<string, unknown>
}
interface DecodedRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: { scope: { name: string }; spans: DecodedSpan[] }[]
  }[]
}
interface DecodedSpan {
  traceId: Uint8Array
  spanId: Uint8Array
  parentSpanId: Uint8Array
  name: string
  attributes: KeyValue[]
  events: unknown[]
  status?: { message: string; code: number }
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: TraceReceiver['headers'] = []
  const server = await startHttpServer((request, response) => void receive(request, response))

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (receiver.refuses || request.url !== '/v1/traces') {
      response.writeHead(400).end()
      return
    }
    bodies.push(body)
    headers.push(request.headers)
    spans.push(...decode(body))
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
  }

  const raw = () => Buffer.concat(bodies).toString('latin1')
  const receiver: TraceReceiver = { ...server, spans, headers, raw, refuses: false }
  return receiver
}

function decode(body: Buffer): ReceivedSpan[] {
  const decoded = REQUEST.toObject(REQUEST.decode(body), { defaults: true, arrays: true, longs: Number })
  return (decoded as DecodedRequest).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(span => readSpan(toRecord(resource.attributes)['service.name'] ?? '', scope.name, span)),
    ),
  )
}

function readSpan(service: string, scope: string, span: DecodedSpan): ReceivedSpan {
  return {
    service,
    scope,
    name: span.name,
    traceId: toHex(span.traceId),
    spanId: toHex(span.spanId),
    parentSpanId: toHex(span.parentSpanId),
    attributes: toRecord(span.attributes),
    events: span.events.length,
    status: span.status?.code ?? 0,
    message: span.status?.message ?? '',
  }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const toRecord = (pairs: KeyValue[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, String(Object.values(value)[0])]))
