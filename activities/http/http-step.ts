import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { readStep } from '../read-step.ts'

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const schema = z
  .object({
    method: z.string().default('GET'),
    url: z.string(),
    headers: z.record(z.string(), text).default({}),
    json: z.json().optional(),
    body: z.string().optional(),
  })
  .refine(step => step.json === undefined || step.body === undefined, { error: 'give json or body, not both' })

/** What an `http` node sends. Header names are lower-case. */
export interface HttpStep {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** Throws StepError NODE_INPUT_INVALID. */
export function readHttpStep(given: JsonObject): HttpStep {
  const step = readStep(schema, given)
  const headers = Object.fromEntries(Object.entries(step.headers).map(([name, value]) => [name.toLowerCase(), value]))
  const { method, url } = step
  if (step.json !== undefined) {
    return { method, url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(step.json) }
  }
  if (step.body === undefined) return { method, url, headers }
  return { method, url, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: step.body }
}
