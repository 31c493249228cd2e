import { ExpressionError } from '../pathways/expressions/expression-error.ts'
import { createCompiler, type Expression } from '../pathways/expressions/expression.ts'
import { Meter } from '../pathways/expressions/meter.ts'
import { compileTemplate } from '../pathways/expressions/template.ts'
import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../shared/json/json.ts'
import type { ApprovalRule } from './approval.ts'

/** The variable in a rule that holds the arguments. */
export const ARGUMENTS = 'args'

const MAX_LISTED_NAMES = 20
/** Keywords that let a schema allow properties that `properties` doesn't list. */
const OPEN_KEYWORDS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties']

/**
 * Lists arguments that a rule reads without `has()` although none of the rule's tools accepts them. Such a rule would
 * fail on every call. Pointers are relative to the rule. Expressions that don't compile are skipped, because they are
 * reported elsewhere.
 * @param tools the parameters of each tool that the rule applies to
 */
export function findUnknownArguments(rule: ApprovalRule, tools: JsonSchema[]): Problem[] {
  if (typeof rule === 'string' || tools.length === 0) return []
  const { when, title } = rule
  return [
    ...(when === undefined ? [] : unknownAmong(compileCondition(when), tools, '/when')),
    ...(title === undefined ? [] : unknownAmong(compileTitle(title), tools, '/title')),
  ]
}

function unknownAmong(expressions: Expression[], tools: JsonSchema[], pointer: string): Problem[] {
  const paths = expressions.flatMap(({ inputs }) => inputs)
  const unknown = paths.filter(path => !tools.some(parameters => hasField(parameters, path)))
  return [...new Set(unknown.map(path => describe(path, tools)))].map(message => ({ pointer, message }))
}

function describe(path: string[], tools: JsonSchema[]): string {
  const names = tools.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : []))
  const listed = [...new Set(names)].slice(0, MAX_LISTED_NAMES).join(', ') || 'none'
  return `no tool has the argument "${[ARGUMENTS, ...path].join('.')}"; the arguments are ${listed}`
}

/**
 * Returns whether a value of the schema can have the field. An unlisted field is possible only if the schema allows
 * it explicitly.
 */
function hasField(schema: JsonValue | undefined, [name, ...rest]: string[]): boolean {
  if (name === undefined || !isJsonObject(schema)) return true
  const { properties, additionalProperties = false } = schema
  if (!isJsonObject(properties)) return true
  if (Object.hasOwn(properties, name)) return hasField(properties[name], rest)
  return additionalProperties !== false || OPEN_KEYWORDS.some(keyword => keyword in schema)
}

function compileCondition(source: string): Expression[] {
  try {
    return [createArgumentCompiler()(source)]
  } catch (error) {
    if (error instanceof ExpressionError) return []
    throw error
  }
}

const compileTitle = (title: string): Expression[] =>
  compileTemplate(title, createArgumentCompiler(), () => undefined).expressions

const createArgumentCompiler = () => createCompiler([ARGUMENTS], new Meter(), ARGUMENTS)
