import type { JsonObject } from '../../json.ts'
import { defineKind, onlyDefault, TEXT } from './kind.ts'

export const http = defineKind<'http'>({
  type: 'http',
  properties: {
    with: {
      type: 'object',
      properties: {
        method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
        url: TEXT,
        headers: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 50 },
        json: {},
        body: { type: 'string' },
      },
      required: ['url'],
      additionalProperties: false,
      not: { required: ['json', 'body'] },
    },
    idempotent: { type: 'boolean' },
  },
  required: ['with'],
  allows: { timeout: true, retry: true, compensate: true },
  ports: onlyDefault,
  readings: node => [{ at: '/with', template: node.with as JsonObject }],
  begin: (_node, turn) => ({ type: 'run', with: turn.read('/with') as JsonObject }),
})
