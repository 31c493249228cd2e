import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import type { JsonSchema, JsonValue, Problem } from '../json/json.ts'
import { exceedsJsonSize, measureExtent, MAX_DEPTH } from '../json/json-size.ts'
import { FULL_LIMITS, throwIfInline, type WorkLimits } from '../fairness/work-limits.ts'
import { describeBound, describeOptions, TYPES } from '../problem-messages.ts'
import { FILE_KEYWORDS, type ReferencedFile } from './file-keywords.ts'
import { FORMATS, MAX_FORMAT_CHARS } from './formats.ts'
import { Patterns, PatternTooCostly } from './patterns.ts'
import { surveySchema } from './schema-hazards.ts'

/**
 * Lists the problems with a value. Pointers start with `at`. Throws TooMuchInline.
 * @param files in the value, if their types and sizes are validated
 */
export type Validate = (
  value: unknown,
  at?: string,
  limits?: WorkLimits,
  files?: readonly ReferencedFile[],
) => Problem[]

/** Returns the value, or a copy with the `default` of each absent field. Throws TooMuchInline. */
type ApplyDefaults = (value: JsonValue, limits?: WorkLimits) => JsonValue

type CompiledSchema = { validate: Validate; applyDefaults: ApplyDefaults } | { problems: Problem[] }

const MAX_PROBLEMS = 50
/** If values times schema parts exceed this, only one problem is listed. */
const MAX_LISTED_WORK = 2_000_000

const compiled = new LRUCache<string, CompiledSchema>({ max: 500 })

/**
 * Compiles a user's JSON Schema (draft 2020-12) with bounded validation cost, or lists its problems. Results are
 * memoized by schema text. References must be local and not recursive.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const { problems, size } = surveySchema(schema)
  if (problems.length > 0) return { problems }
  const text = JSON.stringify(schema)
  const cachedSchema = compiled.get(text)
  if (cachedSchema) return cachedSchema
  const result = compile(schema, size)
  compiled.set(text, result)
  return result
}

/**
 * Lists the problems with a value, or with the schema if it does not compile. Pointers start with `at`. Throws
 * TooMuchInline.
 * @param files in the value, if their types and sizes are validated
 */
export function findSchemaProblems(
  schema: JsonSchema,
  value: unknown,
  at = '',
  limits = FULL_LIMITS,
  files?: readonly ReferencedFile[],
): Problem[] {
  if (exceedsJsonSize(schema, limits.chars)) throwIfInline(limits)
  const result = compileSchema(schema)
  return 'validate' in result ? result.validate(value, at, limits, files) : result.problems
}

/** Returns the value with the schema's defaults. Does not validate the result. */
export function applyDefaults(schema: JsonSchema, value: JsonValue, limits = FULL_LIMITS): JsonValue {
  if (exceedsJsonSize(schema, limits.chars)) throwIfInline(limits)
  const result = compileSchema(schema)
  return 'applyDefaults' in result ? result.applyDefaults(value, limits) : value
}

/** Validates schemas against the meta-schema. */
const dialect = createAjv({ allErrors: true })

function compile(schema: JsonSchema, size: number): CompiledSchema {
  try {
    if (!dialect.validateSchema(schema)) return { problems: describeErrors(dialect.errors ?? [], '') }
    return createValidator(schema, size)
  } catch (error) {
    return { problems: [{ pointer: '', message: error instanceof Error ? error.message : 'must be a JSON Schema' }] }
  }
}

function createAjv(options: Options): Ajv2020 {
  // Inherited properties such as `constructor` are not fields of a value.
  const ajv = new Ajv2020({ ...options, ownProperties: true, passContext: true, strict: false, logger: false })
  for (const [name, format] of FORMATS) ajv.addFormat(name, format)
  // The library declares `contentMediaType` as an annotation.
  for (const definition of FILE_KEYWORDS) ajv.removeKeyword(String(definition.keyword)).addKeyword(definition)
  return ajv
}

/** Lists all problems only for small values, because each problem costs memory. */
function createValidator(schema: JsonSchema, size: number): { validate: Validate; applyDefaults: ApplyDefaults } {
  const patterns = new Patterns()
  const compileWith = (options: Options) =>
    createAjv({ ...options, meta: false, validateSchema: false, code: { regExp: patterns.regExp } }).compile(schema)
  const check = compileWith({})
  let list: ValidateFunction | undefined
  const validate: Validate = (value, at = '', limits = FULL_LIMITS, files = []) => {
    const { values, depth } = measureExtent(value)
    if (depth > MAX_DEPTH) return [{ pointer: at, message: `must be at most ${MAX_DEPTH} levels deep` }]
    if (values * size > limits.comparisons) {
      throwIfInline(limits)
      return [{ pointer: at, message: 'must be small enough to be validated against its schema' }]
    }
    try {
      patterns.begin(limits.patternSteps)
      if (check.call(files, value)) return []
      if (values * size > MAX_LISTED_WORK) return describeErrors(check.errors ?? [], at)
      list ??= compileWith({ allErrors: true })
      patterns.begin(limits.patternSteps)
      list.call(files, value)
      return describeErrors(list.errors ?? [], at)
    } catch (error) {
      if (!(error instanceof PatternTooCostly)) throw error
      throwIfInline(limits)
      return [{ pointer: at, message: error.message }]
    }
  }
  const hasDefaults = JSON.stringify(schema).includes('"default":')
  let fill: ValidateFunction | undefined
  const applyDefaults: ApplyDefaults = (value, limits = FULL_LIMITS) => {
    if (!hasDefaults) return value
    const { values, depth } = measureExtent(value)
    // Validation rejects such a value.
    if (depth > MAX_DEPTH || values * size > FULL_LIMITS.comparisons) return value
    if (values * size > limits.comparisons) throwIfInline(limits)
    const filled = structuredClone(value)
    fill ??= compileWith({ useDefaults: true })
    patterns.begin(limits.patternSteps)
    try {
      fill(filled)
    } catch (error) {
      if (!(error instanceof PatternTooCostly)) throw error
      throwIfInline(limits)
    }
    return filled
  }
  return { validate, applyDefaults }
}

function describeErrors(errors: ErrorObject[], at: string): Problem[] {
  return errors
    .slice(0, MAX_PROBLEMS)
    .map(error => ({ pointer: at + error.instancePath, message: describeError(error) }))
}

function describeError({ keyword, message, params }: ErrorObject): string {
  const bound = BOUNDS[keyword]
  if (bound) return describeBound({ origin: bound[0] }, Number(params.limit), bound[1])
  switch (keyword) {
    case 'required':
      return `must have the field "${String(params.missingProperty)}"`
    case 'additionalProperties':
      return `must not have the field "${String(params.additionalProperty)}"`
    case 'type':
      return `must be ${[params.type as string | string[]]
        .flat()
        .map(type => TYPES[type] ?? type)
        .join(' or ')}`
    case 'enum':
      return describeOptions((params.allowedValues as JsonValue[]).map(formatValue))
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return `must match the pattern ${String(params.pattern)}`
    case 'format':
      return describeFormat(String(params.format))
    default:
      return message ?? keyword
  }
}

function describeFormat(format: string): string {
  if (format === 'iso-duration') {
    return 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M'
  }
  if (format === 'file') return 'must be the id of an uploaded file'
  return LONG_FORMATS.test(format)
    ? `must be in the format ${format}, with at most ${MAX_FORMAT_CHARS} characters`
    : `must be in the format ${format}`
}

/** Formats whose valid texts can exceed the length limit. */
const LONG_FORMATS = /^ur[il]|json-pointer|^regex$/

const BOUNDS: Record<string, [origin: string, words: string]> = {
  minimum: ['number', 'be at least'],
  maximum: ['number', 'be at most'],
  exclusiveMinimum: ['number', 'be greater than'],
  exclusiveMaximum: ['number', 'be less than'],
  minLength: ['string', 'be at least'],
  maxLength: ['string', 'be at most'],
  minItems: ['array', 'be at least'],
  maxItems: ['array', 'be at most'],
  minProperties: ['object', 'be at least'],
  maxProperties: ['object', 'be at most'],
}

const formatValue = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
