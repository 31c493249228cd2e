import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { parseDurationMs } from '../durations.ts'
import type { JsonSchema, JsonValue, Problem } from '../json.ts'
import { measureExtent, MAX_DEPTH } from '../json-size.ts'
import { Patterns, PatternTooCostly } from './patterns.ts'
import { survey } from './schema-hazards.ts'

/** Lists what is wrong with a value; empty when nothing is. Pointers are into the value, below `at`. */
export type Validate = (value: unknown, at?: string) => Problem[]

type Compiled = { validate: Validate } | { problems: Problem[] }

const MAX_PROBLEMS = 50
/** Values times places of the schema: beyond this a value is refused, and beyond the second only its first problem told. */
const MAX_WORK = 200_000_000
const MAX_LISTED_WORK = 2_000_000

/** The fast forms take 30 February. */
const CALENDAR = (['date', 'time', 'date-time'] as const).map(
  name => [name, addFormats.default.get(name, 'full')] as const,
)

const compiled = new LRUCache<string, Compiled>({ max: 500 })

/**
 * Compiles a user's JSON Schema (draft 2020-12), or says what is wrong with it. References reach only into the schema
 * itself and may not recur, and what it costs to check a value is bounded.
 */
export function compileSchema(schema: JsonSchema): Compiled {
  const { problems, size } = survey(schema)
  if (problems.length > 0) return { problems }
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known) return known
  const result = compile(schema, size)
  compiled.set(text, result)
  return result
}

/** Knows the schema of schemas; compiled once. */
const dialect = createAjv({ allErrors: true })

function compile(schema: JsonSchema, size: number): Compiled {
  try {
    if (!dialect.validateSchema(schema)) return { problems: toProblems(dialect.errors ?? [], '') }
    return { validate: createValidate(schema, size) }
  } catch (error) {
    return { problems: [{ pointer: '', message: error instanceof Error ? error.message : 'must be a JSON Schema' }] }
  }
}

function createAjv(options: Options): Ajv2020 {
  // What a value inherits, such as `constructor`, is not in it.
  const ajv = new Ajv2020({ ...options, ownProperties: true, strict: false, logger: false })
  addFormats.default(ajv, { mode: 'fast' })
  for (const [name, format] of CALENDAR) ajv.addFormat(name, format)
  ajv.addFormat('iso-duration', text => parseDurationMs(text) !== undefined)
  return ajv
}

/** Listing every problem keeps one error for each part of each value, so it is done only when there are few. */
function createValidate(schema: JsonSchema, size: number): Validate {
  const patterns = new Patterns()
  const compileWith = (allErrors: boolean) =>
    createAjv({ allErrors, meta: false, validateSchema: false, code: { regExp: patterns.regExp } }).compile(schema)
  const check = compileWith(false)
  let list: ValidateFunction | undefined
  return (value, at = '') => {
    const { values, depth } = measureExtent(value)
    if (depth > MAX_DEPTH) return [{ pointer: at, message: `must be at most ${MAX_DEPTH} levels deep` }]
    if (values * size > MAX_WORK) return [{ pointer: at, message: 'is too large to be validated against its schema' }]
    try {
      patterns.begin()
      if (check(value)) return []
      if (values * size > MAX_LISTED_WORK) return toProblems(check.errors ?? [], at)
      list ??= compileWith(true)
      patterns.begin()
      list(value)
      return toProblems(list.errors ?? [], at)
    } catch (error) {
      if (error instanceof PatternTooCostly) return [{ pointer: at, message: error.message }]
      throw error
    }
  }
}

function toProblems(errors: ErrorObject[], at: string): Problem[] {
  return errors.slice(0, MAX_PROBLEMS).map(error => ({ pointer: at + error.instancePath, message: messageOf(error) }))
}

function messageOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'additionalProperties') return `unknown field "${String(params.additionalProperty)}"`
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as JsonValue[]).map(textOf).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'format' && params.format === 'iso-duration') {
    return 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M'
  }
  return message ?? keyword
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
