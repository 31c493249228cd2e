import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { readBody, startHttpServer, type TestServer } from '../../support/stack/http-server.ts'
import { buildSample, type Schema } from './sample.ts'

interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  parameters?: { in: string; name: string; schema: Schema }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface DocumentedService extends TestServer {
  /** Requests that do not match the document, with the reason. */
  problems: string[]
}

const WORKSPACE = { id: '01a20fd9-d376-72cc-9d27-a8b8116d415f', slug: 'acme' }
const HEALTH = { status: 'ok', version: '0.1.0', components: {}, workspace: WORKSPACE }
const SESSION = { actor: 'user:ann', workspace: WORKSPACE, csrf_token: 'csrf' }
const KEY = {
  id: 'k',
  name: 'reports',
  actor: 'key:reports',
  permissions: ['jobs:read'],
  prefix: 'gng_0',
  api_key: 'gng_1',
}

/** The document omits the routes for a signed-in person. */
function answerPerson(method: string, path: string): { status: number; body?: object } | undefined {
  if (path === '/v1/session/context') return { status: 200, body: SESSION }
  if (path !== '/v1/session' && !path.startsWith('/v1/api-keys')) return undefined
  if (method === 'DELETE') return { status: 204 }
  if (method === 'POST') return { status: 201, body: KEY }
  return { status: 200, body: { data: [KEY], pagination: { total: 1, limit: 50, offset: 0 } } }
}

/** A service that checks each request against the client's OpenAPI document, and responds as described there. */
export async function startDocumentedService(): Promise<DocumentedService> {
  const document = JSON.parse(
    readFileSync(new URL('../../../client/openapi.json', import.meta.url), 'utf8'),
  ) as Document
  const { schemas } = document.components
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, logger: false })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const templates = Object.keys(document.paths).map(path => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const problems: string[] = []

  function find(method: string, path: string) {
    const [found] = templates
      .filter(({ pattern }) => pattern.test(path))
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
    const operation = found && document.paths[found.path]?.[method.toLowerCase()]
    return operation && { operation, template: found.path }
  }

  function check(method: string, url: URL, type: string, body: string): Operation | undefined {
    const about = `${method} ${url.pathname}${url.search}`
    const found = find(method, url.pathname)
    if (!found) {
      problems.push(`${about} is not in the document`)
      return undefined
    }
    const { operation, template } = found
    const known = new Set(operation.parameters?.map(({ name }) => name))
    for (const name of url.searchParams.keys()) if (!known.has(name)) problems.push(`${about}: no parameter ${name}`)
    if (!type.includes('json')) return operation
    const place = ['paths', template, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
    const pointer = place.map(key => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
    const isValid = ajv.validate({ $ref: `openapi#${pointer}` }, JSON.parse(body))
    if (!isValid) problems.push(`${about} ${body}: ${ajv.errorsText()}`)
    return operation
  }

  const server = await startHttpServer((request, response) => {
    void readBody(request).then(body => {
      const { method = '', url: path = '', headers } = request
      const url = new URL(path, 'http://service')
      const name = `${method} ${url.pathname}`
      const send = (status: number, value: unknown) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(value === undefined ? '' : JSON.stringify(value))
      if (url.pathname === '/v1/health') return send(200, HEALTH)
      const ofPerson = answerPerson(method, url.pathname)
      if (ofPerson) return send(ofPerson.status, ofPerson.body)
      const operation = check(method, url, headers['content-type'] ?? '', body)
      if (!operation) return send(404, { code: 'NOT_FOUND', message: name })
      const status = Object.keys(operation.responses).find(code => code.startsWith('2')) ?? '200'
      const [content] = Object.entries(operation.responses[status]?.content ?? {})
      const [type, media] = content ?? ['']
      if (type === 'text/event-stream') return stream(url.pathname)
      if (media && type !== 'application/json') return response.writeHead(200, { 'content-type': type }).end('text')
      return send(Number(status), media && buildSample(schemas, media.schema))
    })

    function stream(path: string): void {
      const isOfRun = path.startsWith('/v1/jobs/')
      const events = isOfRun
        ? [{ type: 'complete', result: { paid: true } }]
        : [{ type: 'position' }, toWorkspaceEvent()]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events.map((event, i) => `id: ${i + 1}-0\ndata: ${JSON.stringify(event)}\n\n`).join(''))
      if (isOfRun) response.end()
    }
  })

  const toWorkspaceEvent = () => ({
    type: 'intervention.requested',
    at: 'now',
    intervention: { id: 'q' },
    job: { id: 'j' },
  })
  return { ...server, problems }
}
