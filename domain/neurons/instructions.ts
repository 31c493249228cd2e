import { createCompiler, ExpressionError } from '../expressions/expression.ts'
import { Meter } from '../expressions/meter.ts'
import { compileTemplate, type Template } from '../expressions/template.ts'
import type { JsonValue } from '../json.ts'
import { FULL_LIMITS, INLINE_LIMITS } from '../work-limits.ts'

/** Values that the instructions of a neuron may use. */
export interface InstructionScope {
  variables: Record<string, JsonValue>
  /** Requester and start time (ISO 8601) of the run. */
  run: { requester: string; at: string }
}

const NAMES = ['variables', 'run'] as const
/** They are filled on event loops, while a run starts. */
const LIMITS = { ...FULL_LIMITS, units: INLINE_LIMITS.units }

interface Compiled {
  template: Template
  meter: Meter
  problems: string[]
}

function compile(text: string): Compiled {
  const meter = new Meter(LIMITS)
  const problems: string[] = []
  const template = compileTemplate(text, createCompiler(NAMES, meter), (_, message) => problems.push(message))
  return { template, meter, problems }
}

/** Lists the problems of the expressions in instructions. */
export const instructionProblems = (text: string): string[] => compile(text).problems

/** Fills the values into instructions. Throws ExpressionError, for example for a variable without a value. */
export function fillInstructions(text: string, scope: InstructionScope): string {
  const { template, meter, problems } = compile(text)
  if (problems[0] !== undefined) throw new ExpressionError('EXPRESSION_INVALID', problems[0])
  meter.start()
  const filled = template.evaluate({ ...scope })
  return typeof filled === 'string' ? filled : JSON.stringify(filled)
}
