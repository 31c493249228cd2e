import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, startHttpServer, type TestServer } from '../support/stack/http-server.ts'

/** A request to /embeddings as it arrived. */
export interface EmbeddingRequest {
  authorization: string | undefined
  body: { model: string; input: string[]; encoding_format?: string }
  /** True once the caller hung up before the answer. */
  aborted: boolean
}

/** Instead of vectors. */
export interface EmbeddingRefusal {
  status?: number
  error?: string
  headers?: Record<string, string>
  /**
   * Never answer; or send the vectors of a model with other dimensions, too few of them, or more bytes than anyone
   * can want.
   */
  instead?: 'hang' | 'longer' | 'fewer' | 'flood'
}

export interface EmbeddingServer extends TestServer {
  base_url: string
  requests: EmbeddingRequest[]
  /** What becomes of the next request. */
  refuseNext(refusal: EmbeddingRefusal): void
}

/** The vector of a text: how often it has each letter of "abc", not of unit length. */
export const lettersOf = (text: string): number[] => ['a', 'b', 'c'].map(letter => text.split(letter).length - 1 + 0.01)

/** Speaks OpenAI's protocol for embeddings over real HTTP; its vectors have three dimensions. */
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
