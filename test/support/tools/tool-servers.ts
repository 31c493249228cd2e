import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readBody, startHttpServer, type TestServer } from '../stack/http-server.ts'

export interface Call {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface ApiServer extends TestServer {
  calls: Call[]
  /** Replies to the next calls for a path, instead of the default reply. */
  answers: Map<string, { status: number; headers?: Record<string, string>; body?: string }[]>
  /** The OpenAPI document of the server. */
  document: object
}

const json = (schema: object) => ({ 'application/json': { schema } })
const responses = { 200: { description: 'fine' } }

const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: '/v1' }],
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getPet', summary: 'Reads a pet', responses },
    },
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } },
        ],
        responses,
      },
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Pet' }) },
        responses,
      },
    },
  },
  components: {
    schemas: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 20 } } } },
  },
}

/** Starts an HTTP API with its description at /openapi.json. The API returns the content of each request. */
export async function startApiServer(): Promise<ApiServer> {
  const calls: Call[] = []
  const answers: ApiServer['answers'] = new Map()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method = '', url = '', headers } = request
    const body = await readBody(request)
    calls.push({ method, url, headers, body })
    const [path = ''] = url.split('?')
    if (path === '/openapi.json') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify(document))
    }
    const plannedAnswer = answers.get(path)?.shift()
    if (path.startsWith('/v1/pets/slow')) return undefined
    response.writeHead(plannedAnswer?.status ?? 200, { 'content-type': 'application/json', ...plannedAnswer?.headers })
    return response.end(plannedAnswer?.body ?? JSON.stringify({ method, url, headers, body }))
  }
  const server = await startHttpServer((request, response) => void answer(request, response))
  return { ...server, calls, answers, document }
}

export interface McpTestServer extends TestServer {
  /** The arguments and `_meta` of each tool call. */
  calls: { tool: string; args: unknown; meta: unknown; authorization?: string }[]
  /** The ids of cancelled calls. */
  cancelled: string[]
  close(): Promise<void>
}

const NO_SUCH_METHOD = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message: 'Bad Request: Server not initialized' },
})

/**
 * Starts a real MCP server with streamable HTTP and without sessions. A `legacy` server does not support the 2026
 * revision.
 */
export async function startMcpServer(era: 'modern' | 'legacy' = 'modern'): Promise<McpTestServer> {
  const calls: McpTestServer['calls'] = []
  const cancelled: string[] = []

  function serverFor(authorization: string | undefined): McpServer {
    const server = new McpServer({ name: 'test', version: '1' })
    const noted = (tool: string, args: unknown, meta: unknown) => calls.push({ tool, args, meta, authorization })
    const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })
    server.registerTool(
      'weather.today',
      {
        description: 'The weather of a city',
        inputSchema: z.object({ city: z.string().min(1) }),
        annotations: { readOnlyHint: true },
      },
      ({ city }, { mcpReq }) => {
        noted('weather.today', { city }, mcpReq._meta)
        return text(`Sun over ${city}`)
      },
    )
    server.registerTool(
      'book',
      {
        description: 'Books a table',
        inputSchema: z.object({ people: z.number().int() }),
        outputSchema: z.object({ booked: z.number() }),
      },
      ({ people }, { mcpReq }) => {
        noted('book', { people }, mcpReq._meta)
        return { ...text('ok'), structuredContent: { booked: people } }
      },
    )
    server.registerTool('fail', { annotations: { idempotentHint: true } }, () => ({
      ...text(`It is broken, says ${authorization ?? 'nobody'}`),
      isError: true,
    }))
    server.registerTool('big', {}, () => text('x'.repeat(200_000)))
    server.registerTool('echo_credentials', {}, () => text(`You sent ${authorization ?? 'nothing'}`))
    server.registerTool('slow', {}, async ({ mcpReq: { signal } }) => {
      noted('slow', {}, undefined)
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      cancelled.push('slow')
      return text('too late')
    })
    return server
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    if (request.url === '/away') return response.writeHead(503, { 'retry-after': '7' }).end('later')
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end(': bye\n\n')
    }
    const body = JSON.parse(await readBody(request)) as object
    if (era === 'legacy' && 'method' in body && body.method === 'server/discover')
      return response.writeHead(400, { 'content-type': 'application/json' }).end(NO_SUCH_METHOD)
    const handler = createMcpHandler(() => serverFor(request.headers.authorization))
    return toNodeHandler(handler)(request, response, body)
  }
  const server = await startHttpServer((request, response) => void answer(request, response))
  return { ...server, calls, cancelled }
}
