import { defineKind, onlyDefault } from './kind.ts'

export const join = defineKind<'join'>({
  type: 'join',
  properties: { mode: { enum: ['all', 'any', 'n'] }, n: { type: 'integer', minimum: 1, maximum: 500 } },
  required: ['mode'],
  allows: {},
  ports: onlyDefault,
  readings: () => [],
  begin: (_node, turn) => ({ type: 'done', output: { arrived: turn.arrived } }),
  problems(node, { at, incoming }) {
    if ((node.mode === 'n') !== (node.n !== undefined))
      return [{ pointer: `${at}/n`, message: 'n goes with mode "n", and only with it' }]
    return (node.n ?? 1) > incoming
      ? [{ pointer: node.n === undefined ? at : `${at}/n`, message: `only ${incoming} edges lead here` }]
      : []
  },
})
