import type { JsonValue } from '../../shared/json/json.ts'
import type { Meter } from './meter.ts'
import { getProgram, type Program, type Scope } from './program.ts'

/** An expression with its own meter. */
export interface Expression extends Omit<Program, 'evaluate' | 'isEntered'> {
  /** Throws ExpressionError. */
  evaluate(scope: Scope): JsonValue
}

export const ROOT_NAMES = ['input', 'nodes', 'run'] as const

/**
 * Returns a compiler for one set of names. Its expressions share one meter, which the caller must start before each
 * evaluation.
 * @param input the variable whose fields are the `inputs` of its expressions
 */
export function createCompiler(
  names: readonly string[],
  meter: Meter,
  input = 'input',
): (source: string) => Expression {
  return source => {
    const { evaluate, isEntered: _, ...facts } = getProgram(names, source, input)
    return { ...facts, evaluate: scope => evaluate(scope, meter) }
  }
}
