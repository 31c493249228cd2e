import { defineKind, LINE, onlyDefault } from './kind.ts'

export const pathway = defineKind<'pathway'>({
  type: 'pathway',
  properties: { ref: LINE, with: {} },
  required: ['ref'],
  allows: { timeout: true, compensate: true },
  ports: onlyDefault,
  readings: node => [{ at: '/with', template: node.with ?? {} }],
  begin: (_node, turn) => ({ type: 'child', input: turn.read('/with') }),
  isChildRun: () => true,
})
