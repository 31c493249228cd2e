import { Meter } from './expressions/meter.ts'
import { evaluateTitle } from './expressions/title.ts'
import type { JsonValue, Problem } from '../shared/json/json.ts'
import { exceedsJsonSize } from '../shared/json/json-size.ts'
import { applyDefaults, findSchemaProblems } from '../shared/schemas/json-schema.ts'
import { FULL_LIMITS, type WorkLimits } from '../shared/fairness/work-limits.ts'
import { type ReportProblem, createBindingCompiler } from './bindings.ts'
import type { PathwayDefinition } from './definition.ts'

/** Names that a run title may use: nothing has run yet. */
const NAMES = ['input', 'run'] as const
const AT = '/run_title'
/** Each item of a list may get the same long default. */
const MAX_INPUT_CHARS = 1_000_000

/** The parts of a definition that the start of a run needs. */
export type StartFields = Pick<PathwayDefinition, 'input' | 'run_title'>

/** What a run begins with. */
export interface RunStart {
  /** With the defaults of the schema. */
  input: JsonValue
  /** Absent if the pathway has none, or if it gives no text for this input. */
  title?: string
  problems: Problem[]
}

/** Compiles the title of the runs of a pathway. */
export const compileRunTitle = (title: string, meter: Meter, report: ReportProblem) =>
  createBindingCompiler(NAMES, meter, report)({ at: AT, template: title }, '')

/** Fills in the defaults of the input, validates it, and evaluates the title of the run. Pointers begin with `at`. */
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
      problems: [{ pointer: at, message: `must have at most ${MAX_INPUT_CHARS} characters with its defaults` }],
    }
  if (problems.length > 0 || run_title === undefined) return { input, problems }
  const compile = () => compileRunTitle(run_title, new Meter(limits), () => undefined)
  const title = evaluateTitle(() => compile().evaluate({ input, run }))
  return { input, problems, ...(title && { title }) }
}
