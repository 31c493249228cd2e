import { defineKind, onlyDefault } from './kind.ts'

export const join = defineKind<'join'>({
  type: 'join',
  properties: { mode: { enum: ['all', 'any', 'n'] }, n: { type: 'integer', minimum: 1, maximum: 500 } },
  required: ['mode'],
  allows: {},
  ports: onlyDefault,
  readings: () => [],
  begin: (_node, turn) => ({ type: 'done', output: { arrived: turn.arrived } }),
})
