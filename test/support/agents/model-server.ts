import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnvironment } from '../../../config/environment.ts'
import { readBody, startHttpServer, type TestServer } from '../stack/http-server.ts'
import { chat } from './model-protocols/chat.ts'
import { gemini } from './model-protocols/gemini.ts'
import { messages } from './model-protocols/messages.ts'
import type { Frame, ModelProtocol, ModelReply, ReadRequest, ScriptedCall, Usage } from './model-protocols/protocol.ts'
import { responses } from './model-protocols/responses.ts'

export type { ModelReply } from './model-protocols/protocol.ts'

/** A request as it arrived. `turns` and `tools` are the same for all protocols. */
export interface ModelRequest extends ReadRequest {
  protocol: ProtocolName
  headers: Record<string, string>
  /** The fields of chat completions. Other protocols have additional fields. */
  body: {
    model: string
    messages: { role: string; content: string }[]
    stream?: boolean
    temperature?: number
    max_tokens?: number
    response_format?: { type: string; json_schema?: { schema: unknown } }
    stream_options?: { include_usage?: boolean }
    [field: string]: unknown
  }
  /** Set if the caller disconnected before the reply was complete. */
  aborted_at?: number
}

export interface ModelServer extends TestServer {
  /** The value for MODEL_BASE_URL, OPENAI_BASE_URL or ANTHROPIC_BASE_URL. */
  base_url: string
  /** The value for GOOGLE_BASE_URL. */
  google_url: string
  requests: ModelRequest[]
  /** Paths of requests that match no protocol. */
  strays: string[]
  /** Adds replies in order. When none are left, the reply is "Hello there." */
  script(...replies: ModelReply[]): void
  /**
   * Chooses replies by the content of a request, for callers in any order. Handlers take precedence over the queue,
   * and the latest handler over earlier ones. Undefined leaves the request to the others. Returns a function that
   * removes the handler.
   */
  on(reply: (request: ModelRequest) => ModelReply | undefined): () => void
  /** Deletes all requests and replies. */
  reset(): void
}

const PROTOCOLS = { chat, responses, messages, gemini }
type ProtocolName = keyof typeof PROTOCOLS

/** This model is not scripted. The server of the development stack replies. */
const EXTRACTIVE = 'builtin:extractive'
const HELLO: ModelReply = { tokens: ['Hello', ' there', '.'] }
/** Arguments are sent in pieces of a few characters. Very long arguments are split into this many pieces. */
const ARGUMENTS_PIECE = 5
const MAX_PIECES = 500

/** Implements the streaming protocols of OpenAI (chat completions, responses), Anthropic and Google over real HTTP. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const strays: string[] = []
  const replies: ModelReply[] = []
  const rules: ((request: ModelRequest) => ModelReply | undefined)[] = []
  const server = await startHttpServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const name = protocolAt(path)
    if (!name) {
      strays.push(path)
      return refuse(response, chat, { status: 404, error: 'no such route' })
    }
    const protocol = PROTOCOLS[name]
    const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
    const text = await readBody(request)
    const body = JSON.parse(text) as ModelRequest['body']
    if (body.model === EXTRACTIVE) return forward(text, response)
    const modelRequest: ModelRequest = { protocol: name, headers, body, ...protocol.read(body, path) }
    requests.push(modelRequest)
    response.once('close', () => {
      if (!response.writableFinished) modelRequest.aborted_at = Date.now()
    })
    const reply = replyTo(modelRequest)
    await reply.wait
    if (response.destroyed) return
    await (reply.status ? refuse(response, protocol, reply) : stream(response, protocol, reply, modelRequest))
  }

  function replyTo(request: ModelRequest): ModelReply {
    for (const rule of rules.toReversed()) {
      const reply = rule(request)
      if (reply) return reply
    }
    return replies.shift() ?? HELLO
  }

  return {
    ...server,
    base_url: `${server.url}/v1`,
    google_url: `${server.url}/v1beta`,
    requests,
    strays,
    script: (...next) => void replies.push(...next),
    on(rule) {
      rules.push(rule)
      return () => void rules.splice(rules.indexOf(rule), 1)
    },
    reset: () => [requests, strays, replies, rules].forEach(list => list.splice(0)),
  }
}

async function forward(body: string, response: ServerResponse): Promise<void> {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  const url = `${readEnvironment()['MODEL_BASE_URL']}/chat/completions`
  const reply = await fetch(url, { method: 'POST', body, signal: controller.signal })
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' })
  if (reply.body) await pipeline(reply.body, response).catch(() => undefined)
}

function protocolAt(path: string): ProtocolName | undefined {
  if (path === '/v1/chat/completions') return 'chat'
  if (path === '/v1/responses') return 'responses'
  if (path === '/v1/messages') return 'messages'
  return /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(path) ? 'gemini' : undefined
}

function refuse(response: ServerResponse, protocol: ModelProtocol, reply: ModelReply): void {
  response.writeHead(reply.status ?? 500, { 'content-type': 'application/json', ...reply.headers })
  response.end(JSON.stringify(protocol.refused(reply)))
}

async function stream(
  response: ServerResponse,
  protocol: ModelProtocol,
  reply: ModelReply,
  request: ModelRequest,
): Promise<void> {
  const { tokens = [], calls = [], refusal, delay_ms } = reply
  const writer = protocol.writer(request, countUsage(reply, request))
  const send = (frames: Frame[]) => response.write(frames.map(formatFrame).join(''))
  /** Returns false once the client has disconnected. */
  const sendPaced = async (frames: Frame[]): Promise<boolean> => {
    if (delay_ms) await sleep(delay_ms)
    return !response.destroyed && (send(frames) || true)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  send(writer.begin())
  for (const token of tokens) if (!(await sendPaced(writer.token(token)))) return
  if (refusal !== undefined) send(writer.refusal(refusal))
  for (const frames of calls.flatMap((call, place) => writer.call(inPieces(call, place))))
    if (!(await sendPaced(frames))) return
  if (reply.after === 'hang') return
  if (reply.after === 'cut') return void response.destroy()
  if (reply.after === 'error') send(writer.failure(reply.error ?? 'overloaded', reply.error_type))
  else send(writer.end(reply.finish_reason ?? getFinishReason(reply, protocol)))
  response.end()
}

/** A refusal is sent as text if the protocol has a field for it, otherwise as the finish reason. */
function getFinishReason({ calls, refusal }: ModelReply, protocol: ModelProtocol): string {
  if (refusal !== undefined && (protocol === messages || protocol === gemini)) return 'content_filter'
  return calls?.length ? 'tool_calls' : 'stop'
}

function inPieces({ id, name, args = {}, raw = JSON.stringify(args) }: ScriptedCall, place: number) {
  const length = Math.max(ARGUMENTS_PIECE, Math.ceil(raw.length / MAX_PIECES))
  const pieces = raw.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? []
  return { id: id ?? `call-${place + 1}`, name, pieces }
}

const formatFrame = ({ event, data }: Frame): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

function countUsage({ usage, tokens = [], calls = [] }: ModelReply, { turns }: ModelRequest): Usage {
  return {
    input: usage?.input_tokens ?? words(turns.map(turn => turn.text)),
    output: usage?.output_tokens ?? tokens.length + calls.length,
    cached: usage?.cached_input_tokens ?? 0,
  }
}

const words = (texts: string[]): number => texts.join(' ').split(/\s+/).filter(Boolean).length
