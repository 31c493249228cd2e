import { z } from 'zod'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { isSafeToForward } from '../../../domain/tools/headers.ts'
import { readStep } from '../../shared/read-step.ts'

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const secret = z.strictObject({ secret: z.string(), prefix: z.string().default('') })

const schema = z
  .object({
    method: z.string().default('GET'),
    url: z.string(),
    query: z.record(z.string(), z.union([text, z.null(), z.array(text)])).default({}),
    headers: z.record(z.string(), z.union([text, secret])).default({}),
    json: z.json().optional(),
    body: z.string().optional(),
  })
  .refine(step => step.json === undefined || step.body === undefined, {
    error: 'must not contain both json and body',
  })
  .refine(
    step => !Object.entries(step.headers).some(([name, value]) => typeof value === 'object' && isSafeToForward(name)),
    {
      error: 'a secret must be in a header that is not forwarded on redirects, such as authorization',
    },
  )

/** An `http` node's request. Header names are in lowercase. */
export interface HttpStep {
  method: string
  url: string
  headers: Record<string, string>
  /** Secret names by header. */
  secrets: Record<string, { secret: string; prefix: string }>
  body?: string
}

/** Throws StepError NODE_INPUT_INVALID. */
export function readHttpStep(rawStep: JsonObject): HttpStep {
  const step = readStep(schema, rawStep)
  const { headers, secrets } = splitHeaders(step.headers)
  const { method } = step
  const url = addQuery(step.url, step.query)
  if (step.json !== undefined) {
    const allHeaders = { 'content-type': 'application/json', ...headers }
    return { method, url, headers: allHeaders, secrets, body: JSON.stringify(step.json) }
  }
  if (step.body === undefined) return { method, url, headers, secrets }
  return { method, url, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, secrets, body: step.body }
}

/** An invalid URL is rejected when the request is sent. */
function addQuery(url: string, query: z.output<typeof schema>['query']): string {
  const parsed = URL.parse(url)
  if (!parsed || Object.keys(query).length === 0) return url
  for (const [name, value] of Object.entries(query))
    for (const entry of [value ?? []].flat()) parsed.searchParams.append(name, entry)
  return parsed.href
}

function splitHeaders(rawHeaders: z.output<typeof schema>['headers']): Pick<HttpStep, 'headers' | 'secrets'> {
  const result: Pick<HttpStep, 'headers' | 'secrets'> = { headers: {}, secrets: {} }
  for (const [name, value] of Object.entries(rawHeaders)) {
    if (typeof value === 'string') result.headers[name.toLowerCase()] = value
    else result.secrets[name.toLowerCase()] = value
  }
  return result
}
