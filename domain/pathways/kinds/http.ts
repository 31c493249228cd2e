import type { JsonObject } from '../../shared/json/json.ts'
import { type EffectKind, type NodeFields, type NodeOf, onlyDefault, TEXT } from './kind.ts'

/** A string without expressions, so that the secrets a pathway sends are known when the pathway is saved. */
const PLAIN = { type: 'string', pattern: '^[^$]*$', maxLength: 500 } as const
const HEADER = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { secret: { ...PLAIN, minLength: 1 }, prefix: PLAIN },
      required: ['secret'],
      additionalProperties: false,
    },
  ],
} as const

const fields = {
  properties: {
    with: {
      type: 'object',
      properties: {
        method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
        url: TEXT,
        /** Added to the URL with each value encoded. A list adds its name once per item, and null is omitted. */
        query: { type: 'object', maxProperties: 100 },
        /** A header is a string, or the name of a secret with a prefix for its value. */
        headers: { type: 'object', additionalProperties: HEADER, maxProperties: 50 },
        json: {},
        body: { type: 'string' },
      },
      required: ['url'],
      additionalProperties: false,
      not: { properties: { json: {}, body: {} }, required: ['json', 'body'] },
    },
    /** The request is short and safe to retry, so it runs as a local activity. */
    idempotent: { type: 'boolean' },
  },
  required: ['with'],
} as const satisfies NodeFields

export type HttpNode = NodeOf<'http', typeof fields>

export const http: EffectKind<HttpNode> = {
  type: 'http',
  fields,
  allows: { timeout: true, retry: true, compensate: true },
  ports: onlyDefault,
  labels: () => ['http'],
  sinks: () => ['/with'],
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_node, context) => ({ type: 'run', with: context.evaluate('/with') as JsonObject }),
  effect: {
    right: 'tools:call',
    defaultTimeoutMs: 60_000,
    mayHaveSideEffects: ({ with: { method = 'GET' } }) => method !== 'GET' && method !== 'HEAD',
    isLocal: node => node.idempotent === true,
    canCompensate: () => true,
  },
  problems: ({ with: { url } }, { at }) =>
    url.startsWith('${') || /^https?:\/\//i.test(url)
      ? []
      : [{ pointer: `${at}/with/url`, message: 'must be an http or https URL' }],
}
