import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type ChatRequest, chatRequest, toCallOptions } from './chat-request.ts'
import { createExtractiveModel } from './model.ts'

/** Serves the rule-based model over OpenAI's chat completions API: `server.ts <port>`. */
const model = createExtractiveModel()

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/v1/models')
    return send(response, 200, { object: 'list', data: [{ id: model.modelId, object: 'model' }] })
  if (request.url !== '/v1/chat/completions') return refuse(response, 404, 'There is no such route')
  const body = chatRequest.parse(await json(request))
  if (body.model !== model.modelId) return refuse(response, 404, `The only model is ${model.modelId}`)
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  const options = { ...toCallOptions(body), abortSignal: controller.signal }
  if (body.stream) {
    const { stream } = await model.doStream(options)
    return streamChunks(stream, body, response)
  }
  const { content, finishReason, usage } = await model.doGenerate(options)
  const texts = content.flatMap(part => (part.type === 'text' ? part.text : []))
  const calls = content.flatMap(part =>
    part.type === 'tool-call'
      ? { id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: part.input } }
      : [],
  )
  const message = { role: 'assistant', content: texts.join('') || null, ...(calls.length > 0 && { tool_calls: calls }) }
  send(response, 200, {
    ...head('chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReason.unified.replace('-', '_') }],
    usage: countUsage(usage),
  })
}

async function streamChunks(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  { stream_options }: ChatRequest,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (chunk: object) =>
    response.write(`data: ${JSON.stringify({ ...head('chat.completion.chunk'), ...chunk })}\n\n`)
  const choice = (delta: object, finish_reason: string | null = null) =>
    write({ choices: [{ index: 0, delta, finish_reason }] })
  const callDelta = (part: object) => choice({ tool_calls: [{ index: 0, ...part }] })
  for await (const part of parts) {
    if (part.type === 'text-delta') choice({ content: part.delta })
    if (part.type === 'tool-input-start')
      callDelta({ id: part.id, type: 'function', function: { name: part.toolName, arguments: '' } })
    if (part.type === 'tool-input-delta') callDelta({ function: { arguments: part.delta } })
    if (part.type !== 'finish') continue
    choice({}, part.finishReason.unified.replace('-', '_'))
    if (stream_options?.include_usage) write({ choices: [], usage: countUsage(part.usage) })
  }
  response.end('data: [DONE]\n\n')
}

const head = (object: string) => ({
  id: 'chatcmpl-extractive',
  object,
  created: Math.floor(Date.now() / 1_000),
  model: model.modelId,
})

function countUsage({ inputTokens, outputTokens }: Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage']) {
  const [prompt_tokens, completion_tokens] = [inputTokens.total ?? 0, outputTokens.total ?? 0]
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } })

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    if (response.headersSent) response.destroy()
    else refuse(response, 400, error instanceof Error ? error.message : String(error))
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
