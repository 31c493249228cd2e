import { defineKind, LINE, onlyDefault } from './kind.ts'

export const pathway = defineKind<'pathway'>({
  type: 'pathway',
  properties: { ref: LINE, with: {} },
  required: ['ref'],
  allows: { timeout: true, compensate: true },
  ports: onlyDefault,
  sinks: () => ['/with'],
  bindings: node => [{ at: '/with', template: node.with ?? {} }],
  start: (_node, context) => ({ type: 'child', input: context.evaluate('/with') }),
  isChildRun: () => true,
})
