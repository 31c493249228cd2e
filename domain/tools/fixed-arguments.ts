import { hasExpression } from '../pathways/expressions/template.ts'
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue, type Problem } from '../shared/json/json.ts'
import { exceedsJsonSize } from '../shared/json/json-size.ts'
import { compileSchema } from '../shared/schemas/json-schema.ts'
import { FULL_LIMITS, throwIfInline, type WorkLimits } from '../shared/fairness/work-limits.ts'

/** Returns the values that the tool accepts as arguments. */
export function pickArguments(parameters: JsonSchema, values: JsonObject): JsonObject {
  const { properties } = parameters
  if (!isJsonObject(properties)) return {}
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(properties, name)))
}

/** Returns the parameters without fixed arguments. */
export function omitParameters(parameters: JsonSchema, set: JsonObject): JsonSchema {
  const isOpen = (name: string) => !Object.hasOwn(set, name)
  const { properties, required, ...rest } = parameters
  return {
    ...rest,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOpen(name))),
    }),
    ...(Array.isArray(required) && { required: required.filter(name => typeof name === 'string' && isOpen(name)) }),
  }
}

/**
 * Lists the problems with a tool's arguments as written. Expression values, and all arguments of a tool with an
 * unsupported schema, are checked later, when they are known. Pointers start with `at`. Throws TooMuchInline.
 */
export function findArgumentProblems(
  parameters: JsonSchema,
  args: JsonValue,
  at: string,
  limits: WorkLimits = FULL_LIMITS,
): Problem[] {
  if (!isJsonObject(args)) return []
  if (exceedsJsonSize(parameters, limits.chars)) throwIfInline(limits)
  const compiled = compileSchema(loosenParameters(parameters, args))
  return 'validate' in compiled ? compiled.validate(args, at, limits) : []
}

/**
 * Returns the part of the parameters against which written arguments can be checked. Arguments with expressions may
 * have any value. Rules that span several arguments are omitted.
 */
function loosenParameters(parameters: JsonSchema, args: JsonObject): JsonSchema {
  const { $defs, definitions, required, additionalProperties = true } = parameters
  const knownProperties = isJsonObject(parameters.properties) ? parameters.properties : {}
  const open = Object.keys(args).filter(
    name => holdsExpression(args[name]) && (additionalProperties !== false || Object.hasOwn(knownProperties, name)),
  )
  const properties = { ...knownProperties, ...Object.fromEntries(open.map(name => [name, {}])) }
  const keywords = { $defs, definitions, required, additionalProperties }
  const entries = Object.entries(keywords).filter(([, value]) => value !== undefined)
  return { type: 'object', properties, ...Object.fromEntries(entries) }
}

const holdsExpression = (value: JsonValue | undefined): boolean => hasExpression(JSON.stringify(value ?? null))
