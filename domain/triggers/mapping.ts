import { ExpressionError } from '../pathways/expressions/expression-error.ts'
import { createCompiler } from '../pathways/expressions/expression.ts'
import { Meter } from '../pathways/expressions/meter.ts'
import { checkTemplate, compileTemplate, hasExpression } from '../pathways/expressions/template.ts'
import { evaluateExpression } from '../pathways/expressions/evaluate.ts'
import { escapePointer } from '../shared/json/json-pointer.ts'
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue, type Problem } from '../shared/json/json.ts'
import { findArgumentProblems } from '../tools/fixed-arguments.ts'
import { compileSchema } from '../shared/schemas/json-schema.ts'
import { FULL_LIMITS, type WorkLimits } from '../shared/fairness/work-limits.ts'

/** Variables available in a trigger's filter and mapping. */
const NAMES = ['event'] as const

/** Returns the problem with a filter, which must be CEL that returns true or false. */
export function findFilterProblem(filter: string): string | undefined {
  try {
    const { type } = createCompiler(NAMES, new Meter())(filter)
    return type === 'bool' || type === 'dyn' ? undefined : `must evaluate to true or false, not to ${type}`
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Returns the problem with an expression over the event. */
export function findExpressionProblem(expression: string): string | undefined {
  try {
    createCompiler(NAMES, new Meter())(expression)
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/**
 * Evaluates the value by which duplicate events are recognized. Null or empty text means no value. Not every
 * signature covers headers, so `event` contains only the body.
 */
export function evaluateDedupe(
  expression: string,
  body: JsonValue,
  limits: WorkLimits = FULL_LIMITS,
): { value?: string } | { problem: string } {
  try {
    const value = evaluateExpression(expression, { event: { body } }, limits)
    if (value === null || value === '') return {}
    if (typeof value === 'object') return { problem: 'dedupe_by must return a text, a number or a boolean' }
    return { value: String(value) }
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: `dedupe_by cannot be evaluated: ${error.message}` }
    throw error
  }
}

/** Lists the problems with the expressions in a mapping. */
export const findMappingProblems = (input: JsonValue): Problem[] => checkTemplate(input, NAMES).problems

/** Result of mapping an event. `problem`: the filter or the mapping doesn't fit the event. */
export type MappedEvent = { passes: false } | { passes: true; input: JsonValue } | { problem: string }

/** Evaluates the filter, then the mapping. Throws TooMuchInline. */
export function mapEvent(
  { filter, input }: { filter?: string; input: JsonValue },
  event: JsonObject,
  limits: WorkLimits = FULL_LIMITS,
): MappedEvent {
  try {
    if (filter !== undefined) {
      const passes = evaluateExpression(filter, { event }, limits)
      if (passes !== true && passes !== false) return { problem: 'The filter returned neither true nor false' }
      if (!passes) return { passes }
    }
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: `The filter cannot be evaluated: ${error.message}` }
    throw error
  }
  try {
    return { passes: true, input: checkTemplate(input, NAMES, limits).evaluate({ event }) }
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: `The input cannot be evaluated: ${error.message}` }
    throw error
  }
}

/** CEL types whose values a JSON Schema type accepts. Expressions of other types are checked at evaluation. */
const CEL_TYPES: Record<string, readonly string[]> = {
  string: ['string'],
  number: ['int', 'uint', 'double'],
  integer: ['int', 'uint', 'double'],
  boolean: ['bool'],
  array: ['list'],
  object: ['map'],
  null: ['null_type', 'null'],
}
const CHECKED_TYPES = new Set(Object.values(CEL_TYPES).flat())

/**
 * Lists parts of a mapping that don't match the target's input schema, as far as values and expression types are
 * known. Pointers start with `at`. Throws TooMuchInline.
 */
export function findInputProblems(
  schema: JsonSchema,
  input: JsonValue,
  at: string,
  limits: WorkLimits = FULL_LIMITS,
): Problem[] {
  if (typeof input === 'string' && hasExpression(input)) return typeProblems(schema, input, at)
  if (!holdsExpression(input)) {
    const compiled = compileSchema(schema)
    return 'validate' in compiled ? compiled.validate(input, at, limits) : []
  }
  const type = isJsonObject(input) ? 'object' : 'array'
  if (!takes(schema, [type])) return [{ pointer: at, message: `must be ${describe(schema)}` }]
  const inner = Array.isArray(input)
    ? input.map((value, i) => ({ value, step: String(i), schema: schema.items }))
    : Object.entries(input as JsonObject).map(([name, value]) => ({
        value,
        step: escapePointer(name),
        schema: isJsonObject(schema.properties) ? schema.properties[name] : undefined,
      }))
  const open = inner.filter(({ value, schema }) => holdsExpression(value) && isJsonObject(schema))
  return [
    ...findArgumentProblems(schema, input, at, limits),
    ...open.flatMap(({ value, step, schema }) =>
      findInputProblems(schema as JsonSchema, value, `${at}/${step}`, limits),
    ),
  ]
}

const holdsExpression = (value: JsonValue): boolean => hasExpression(JSON.stringify(value))

function typeProblems(schema: JsonSchema, text: string, at: string): Problem[] {
  const type = findType(text)
  if (type === undefined || !CHECKED_TYPES.has(type)) return []
  const expectedFields = Object.keys(CEL_TYPES).filter(name => CEL_TYPES[name]?.includes(type))
  if (takes(schema, expectedFields)) return []
  return [{ pointer: at, message: `must be ${describe(schema)}; the expression returns ${type}` }]
}

/** Returns the CEL type of a text with expressions, without type parameters. */
function findType(text: string): string | undefined {
  const compile = createCompiler(NAMES, new Meter())
  return compileTemplate(text, compile, () => undefined).type?.replace(/<.*/, '')
}

/** Returns whether a schema can accept values of one of the types. */
function takes({ type }: JsonSchema, types: string[]): boolean {
  if (type === undefined) return true
  const named = Array.isArray(type) ? type : [type]
  return named.some(name => typeof name === 'string' && types.includes(name))
}

const describe = ({ type }: JsonSchema): string =>
  `of the type ${(Array.isArray(type) ? (type as string[]) : [type as string]).join(' or ')}`
