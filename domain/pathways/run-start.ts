import { Meter } from './expressions/meter.ts'
import { evaluateTitle } from './expressions/title.ts'
import type { JsonValue, Problem } from '../shared/json/json.ts'
import { exceedsJsonSize } from '../shared/json/json-size.ts'
import { applyDefaults, findSchemaProblems } from '../shared/schemas/json-schema.ts'
import { FULL_LIMITS, type WorkLimits } from '../shared/fairness/work-limits.ts'
import { type ReportProblem, createBindingCompiler } from './bindings.ts'
import type { PathwayDefinition } from './definition.ts'

/** Variables available in a run title: no node has run yet. */
const NAMES = ['input', 'run'] as const
const AT = '/run_title'
/** Includes defaults, because a long default may be repeated for each list item. */
const MAX_INPUT_CHARS = 1_000_000

/** The parts of a definition that are needed to start a run. */
export type StartFields = Pick<PathwayDefinition, 'input' | 'run_title'>

/** The initial values of a run. */
export interface RunStart {
  /** Includes the defaults of the schema. */
  input: JsonValue
  /** Absent if the pathway has no title, or if the title is empty for this input. */
  title?: string
  problems: Problem[]
}

/** Compiles the run title of a pathway. */
export const compileRunTitle = (title: string, meter: Meter, report: ReportProblem) =>
  createBindingCompiler(NAMES, meter, report)({ at: AT, template: title }, '')

/**
 * Applies the defaults of the input schema, validates the input, and evaluates the run title. Pointers start with
 * `at`.
 */
export function prepareRun(
  { input: schema, run_title }: StartFields,
  rawInput: JsonValue,
  run: { id: string; requester: string },
  at = '',
  limits: WorkLimits = FULL_LIMITS,
): RunStart {
  const input = schema ? applyDefaults(schema, rawInput, limits) : rawInput
  const problems = schema ? findSchemaProblems(schema, input, at, limits) : []
  if (input !== rawInput && exceedsJsonSize(input, MAX_INPUT_CHARS))
    return {
      input: rawInput,
      problems: [{ pointer: at, message: `must have at most ${MAX_INPUT_CHARS} characters, including defaults` }],
    }
  if (problems.length > 0 || run_title === undefined) return { input, problems }
  const compile = () => compileRunTitle(run_title, new Meter(limits), () => undefined)
  const title = evaluateTitle(() => compile().evaluate({ input, run }))
  return { input, problems, ...(title && { title }) }
}
