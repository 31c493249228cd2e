import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, startHttpServer, type TestServer } from './http-server.ts'

/** A chat-completions request as it arrived. */
export interface ModelRequest {
  headers: Record<string, string>
  body: {
    model: string
    messages: { role: string; content: string }[]
    stream?: boolean
    temperature?: number
    max_tokens?: number
    response_format?: { type: string; json_schema?: { schema: unknown } }
    stream_options?: { include_usage?: boolean }
  }
  /** Set when the caller hung up before the answer was complete. */
  aborted_at?: number
}

/** How the server answers one request. */
export interface ModelReply {
  /** Pieces of the answer, each its own server-sent event. */
  tokens?: string[]
  /** Before each piece, in milliseconds. */
  delay_ms?: number
  finish_reason?: string
  /** Instead of an answer: an error in the provider's form. */
  status?: number
  error?: string
  headers?: Record<string, string>
  /** After the pieces: fall silent for ever, cut the connection, or send an error event. */
  after?: 'hang' | 'cut' | 'error'
}

export interface ModelServer extends TestServer {
  /** What to configure as MODEL_BASE_URL. */
  base_url: string
  requests: ModelRequest[]
  /** Replies to come, in order; with none left it says "Hello there." */
  script(...replies: ModelReply[]): void
}

const HELLO: ModelReply = { tokens: ['Hello', ' there', '.'] }

/** Speaks the streaming protocol of OpenAI's chat completions over real HTTP. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const replies: ModelReply[] = []
  const server = await startHttpServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/v1/chat/completions') return refuse(response, { status: 404, error: 'no such route' })
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const seen: ModelRequest = { headers, body: JSON.parse(await bodyOf(request)) as ModelRequest['body'] }
    requests.push(seen)
    response.once('close', () => {
      if (!response.writableFinished) seen.aborted_at = Date.now()
    })
    const reply = replies.shift() ?? HELLO
    await (reply.status ? refuse(response, reply) : stream(response, reply, seen))
  }

  return { ...server, base_url: `${server.url}/v1`, requests, script: (...next) => void replies.push(...next) }
}

function refuse(response: ServerResponse, { status = 500, error = 'failed as asked', headers = {} }: ModelReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: { message: error, type: 'test_error', param: null, code: null } }))
}

async function stream(response: ServerResponse, reply: ModelReply, { body }: ModelRequest): Promise<void> {
  const head = { id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 1_700_000_000, model: body.model }
  const send = (event: unknown) =>
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  const choice = (delta: unknown, finish_reason: string | null = null) =>
    send({ ...head, choices: [{ index: 0, delta, finish_reason }] })
  const tokens = reply.tokens ?? []
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  choice({ role: 'assistant', content: '' })
  for (const content of tokens) {
    if (reply.delay_ms) await sleep(reply.delay_ms)
    if (response.destroyed) return
    choice({ content })
  }
  if (reply.after === 'hang') return
  if (reply.after === 'cut') return void response.destroy()
  if (reply.after === 'error') send({ error: { message: 'overloaded', type: 'server_error', param: null, code: null } })
  else choice({}, reply.finish_reason ?? 'stop')
  const usage = { prompt_tokens: words(body.messages.map(({ content }) => content)), completion_tokens: tokens.length }
  if (body.stream_options?.include_usage)
    send({ ...head, choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } })
  send('[DONE]')
  response.end()
}

const words = (texts: string[]): number => texts.join(' ').split(/\s+/).filter(Boolean).length
