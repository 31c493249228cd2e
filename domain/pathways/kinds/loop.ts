import { DEFAULT_PORT, EXHAUSTED_PORT } from '../definition.ts'
import { defineKind, TEXT } from './kind.ts'

export const loop = defineKind<'loop'>({
  type: 'loop',
  properties: {
    until: TEXT,
    max: { type: 'integer', minimum: 1, maximum: 1_000 },
    body: { type: 'object' },
  },
  required: ['until', 'max', 'body'],
  allows: { timeout: true },
  ports: () => [DEFAULT_PORT, EXHAUSTED_PORT],
  bindings: node => [{ at: '/until', expression: node.until, names: ['iteration', 'last'] }],
  start: () => ({ type: 'loop' }),
})
