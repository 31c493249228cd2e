import type { Question } from './use-answer.ts'

/**
 * The arguments of a call that waits for an approval, as far as its form has them: those that the neuron sets cannot be
 * changed. Undefined for other approvals.
 */
export function readProposal({ context, form }: Question): object | undefined {
  const { arguments: proposed } = (context ?? {}) as { arguments?: unknown }
  if (typeof proposed !== 'object' || proposed === null) return undefined
  const { properties = {} } = (form ?? {}) as { properties?: object }
  return Object.fromEntries(Object.entries(proposed).filter(([name]) => name in properties))
}
