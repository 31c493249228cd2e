import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import type { ReflexDocument } from '../../domain/resources/kinds/reflexes.ts'
import type { HttpCall } from '../../domain/tools/tool-call.ts'
import type { ToolEffect } from '../../domain/tools/tool-spec.ts'
import { decodeBody } from './http-node/decode-body.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../../services/tools/outbound/client.ts'
import type { Redactor } from '../../domain/tools/redactor.ts'
import type { Secrets } from './secrets.ts'
import { statusError, toolFailedError } from './errors.ts'
import { placeArguments } from './http-arguments.ts'

export interface HttpToolCall {
  reflex: ReflexDocument
  http: HttpCall
  effect: ToolEffect
  args: JsonObject
  workspace_id: string
  idempotency_key: string
  signal: AbortSignal
}

interface Deps {
  outbound: Outbound
  secrets: Secrets
}

/** Calls an HTTP API tool. The output is the response body, parsed if it is JSON. Throws StepError. */
export async function callHttpTool(
  { outbound, secrets }: Deps,
  call: HttpToolCall,
): Promise<{ output: JsonValue; redactor: Redactor }> {
  const request = buildRequest(call)
  const { headers, redactor } = await secrets.credentialsFor({
    names: call.reflex.secrets,
    url: request.url,
    workspace_id: call.workspace_id,
  })
  const secretHeaders = Object.keys(headers)
  const response = await outbound.request({ ...request, headers: { ...request.headers, ...headers }, secretHeaders })

  const { status } = response
  if (status < 200 || status > 299) {
    const { host } = new URL(request.url)
    throw statusError({ host, status, headers: response.headers }, decodeExcerpt(response), redactor)
  }
  return { output: parseOutput(response), redactor }
}

function buildRequest({ reflex, http, effect, args, idempotency_key, signal }: HttpToolCall): OutboundRequest {
  const server = reflex.server_url ?? http.server
  if (server === undefined) throw toolFailedError('The reflex has no server to call: set server_url')
  const { path, query, headers, body } = placeArguments(http, args)
  const url = new URL(server.replace(/\/+$/, '') + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  const defaultHeaders = {
    'user-agent': 'ganglion',
    accept: 'application/json, text/*;q=0.9, */*;q=0.1',
    ...(effect !== 'read' && { 'idempotency-key': idempotency_key }),
  }
  return { method: http.method, url: url.href, headers: { ...headers, ...defaultHeaders }, body, signal }
}

function parseOutput(response: OutboundResponse): JsonValue {
  const { body, headers } = response
  if (body.length === 0) return null
  const type = headers['content-type'] ?? ''
  if (isText(type)) return decodeBody(body, type)
  return { media_type: type, bytes: body.length, note: 'the response is not text and is not shown' }
}

const decodeExcerpt = ({ body, headers }: OutboundResponse): string =>
  isText(headers['content-type'] ?? '') ? new TextDecoder().decode(body.subarray(0, 16_384)) : ''

const isText = (type: string): boolean =>
  type === '' ||
  /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson))/i.test(
    type,
  )
