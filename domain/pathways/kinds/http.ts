import type { JsonObject, JsonSchema } from '../../shared/json/json.ts'
import { defineKind, onlyDefault, TEXT } from './kind.ts'

/** A text without expressions, so that the secrets a pathway sends are known when it is saved. */
const PLAIN: JsonSchema = { type: 'string', pattern: '^[^$]*$', maxLength: 500 }
const HEADER: JsonSchema = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { secret: { ...PLAIN, minLength: 1 }, prefix: PLAIN },
      required: ['secret'],
      additionalProperties: false,
    },
  ],
}

export const http = defineKind<'http'>({
  type: 'http',
  properties: {
    with: {
      type: 'object',
      properties: {
        method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
        url: TEXT,
        query: { type: 'object', maxProperties: 100 },
        headers: { type: 'object', additionalProperties: HEADER, maxProperties: 50 },
        json: {},
        body: { type: 'string' },
      },
      required: ['url'],
      additionalProperties: false,
      not: { properties: { json: {}, body: {} }, required: ['json', 'body'] },
    },
    idempotent: { type: 'boolean' },
  },
  required: ['with'],
  allows: { timeout: true, retry: true, compensate: true },
  ports: onlyDefault,
  labels: () => ['http'],
  sinks: () => ['/with'],
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_node, context) => ({ type: 'run', with: context.evaluate('/with') as JsonObject }),
  effect: {
    defaultTimeoutMs: 60_000,
    mayHaveSideEffects: ({ with: { method = 'GET' } }) => method !== 'GET' && method !== 'HEAD',
    isLocal: node => node.idempotent === true,
    canCompensate: () => true,
  },
  problems: ({ with: { url } }, { at }) =>
    url.startsWith('${') || /^https?:\/\//i.test(url)
      ? []
      : [{ pointer: `${at}/with/url`, message: 'must be an http or https URL' }],
})
