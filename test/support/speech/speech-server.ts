import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startHttpServer, type TestServer } from '../stack/http-server.ts'

/** A transcription request as it arrived. */
export interface SpeechRequest {
  headers: Record<string, string>
  model: string
  response_format: string
  /** Null if the field is missing. */
  language: string | null
  file: { name: string; type: string; bytes: Buffer }
  at: number
  /** Set when the caller disconnected before the response was complete. */
  aborted_at?: number
}

/** The server's response to one request. */
export interface SpeechReply {
  /** The transcript, returned as one segment of one second. */
  text?: string
  language?: string
  segments?: { start: number; end: number; text: string }[]
  /** Delay in milliseconds before the response. */
  delay_ms?: number
  status?: number
  headers?: Record<string, string>
  /** Text that is sent instead of JSON. */
  raw?: string
  /** Cut the connection after the start of the response, or send no response. */
  instead?: 'cut' | 'hang'
}

export interface SpeechServer extends TestServer {
  /** The value for SPEECH_URL. */
  base_url: string
  requests: SpeechRequest[]
  /** Adds replies in order. When none are left, the transcript is the number of bytes received. */
  script(...replies: SpeechReply[]): void
  /** Deletes all requests and replies. */
  reset(): void
}

/** Implements OpenAI's transcription API over real HTTP, with transcripts set by the test. */
export async function startSpeechServer(): Promise<SpeechServer> {
  const requests: SpeechRequest[] = []
  const replies: SpeechReply[] = []
  const server = await startHttpServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/v1/audio/transcriptions') return void response.writeHead(404).end()
    const speechRequest = await readRequest(request)
    requests.push(speechRequest)
    response.once('close', () => {
      if (!response.writableFinished) speechRequest.aborted_at = Date.now()
    })
    await answer(response, replies.shift() ?? { text: `${speechRequest.file.bytes.length} bytes` })
  }

  return {
    ...server,
    base_url: `${server.url}/v1`,
    requests,
    script: (...next) => void replies.push(...next),
    reset: () => [requests, replies].forEach(list => list.splice(0)),
  }
}

async function readRequest(request: IncomingMessage): Promise<SpeechRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const file = form.get('file') as File
  return {
    headers,
    model: form.get('model') as string,
    response_format: form.get('response_format') as string,
    language: form.get('language') as string | null,
    file: { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) },
    at: Date.now(),
  }
}

async function answer(response: ServerResponse, reply: SpeechReply): Promise<void> {
  const { text = '', language = 'en', delay_ms = 0, status = 200, headers, raw, instead } = reply
  await sleep(delay_ms)
  if (response.destroyed || instead === 'hang') return
  const segments = reply.segments ?? (text === '' ? [] : [{ start: 0, end: 1, text: ` ${text}` }])
  const body = raw ?? JSON.stringify({ task: 'transcribe', language, duration: 1, text, segments })
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (instead !== 'cut') return void response.end(body)
  response.write(body.slice(0, 10))
  await sleep(20)
  response.destroy()
}
