import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, startHttpServer, type TestServer } from '../support/stack/http-server.ts'

/** A request to /embeddings as it arrived. */
export interface EmbeddingRequest {
  authorization: string | undefined
  body: { model: string; input: string[]; encoding_format?: string }
  /** True if the caller disconnected before the response. */
  aborted: boolean
}

/** A response that is returned instead of vectors. */
export interface EmbeddingRefusal {
  status?: number
  error?: string
  headers?: Record<string, string>
  /** Never respond, or send vectors with the wrong dimensions, too few vectors, or far too many bytes. */
  instead?: 'hang' | 'longer' | 'fewer' | 'flood'
}

export interface EmbeddingServer extends TestServer {
  base_url: string
  requests: EmbeddingRequest[]
  /** Sets the response to the next request. */
  refuseNext(refusal: EmbeddingRefusal): void
}

/** Returns a vector that counts how often each letter of "abc" occurs in the text. It is not a unit vector. */
export const lettersOf = (text: string): number[] => ['a', 'b', 'c'].map(letter => text.split(letter).length - 1 + 0.01)

/** Implements OpenAI's embeddings protocol over real HTTP. Its vectors have three dimensions. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = []
  const refusals: EmbeddingRefusal[] = []
  const server = await startHttpServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await readBody(request)) as EmbeddingRequest['body']
    const seen: EmbeddingRequest = { authorization: request.headers.authorization, body, aborted: false }
    requests.push(seen)
    response.once('close', () => (seen.aborted = !response.writableFinished))
    const { status, error, headers, instead } = refusals.shift() ?? {}
    if (request.url !== '/v1/embeddings') return answer(response, 404, { error: { message: 'no such route' } })
    if (status) return answer(response, status, { error: { message: error, type: 'test', code: null } }, headers)
    if (instead === 'hang') return
    if (instead === 'flood') return void response.end('['.repeat(3_000_000))
    const vectors = body.input.map(text => lettersOf(text).concat(instead === 'longer' ? [1] : []))
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    const usage = { prompt_tokens: 1, total_tokens: 1 }
    answer(response, 200, { object: 'list', model: body.model, data: data.slice(instead === 'fewer' ? 1 : 0), usage })
  }

  return { ...server, base_url: `${server.url}/v1`, requests, refuseNext: refusal => void refusals.push(refusal) }
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
