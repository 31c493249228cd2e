import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { durationMs } from '../durations.ts'
import type { JsonSchema, JsonValue, Problem } from '../json.ts'
import { hazards } from './schema-hazards.ts'

/** Lists what is wrong with a value; empty when nothing is. Pointers are into the value, below `at`. */
export type Validate = (value: unknown, at?: string) => Problem[]

const MAX_PROBLEMS = 50

/** Users write patterns, so they run on a linear-time engine: no input can make one backtrack. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    return { test: (text: string) => compiled.matcher(text).find() }
  },
  { code: 'linearRegExp' },
)

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { regExp: linearRegExp as never }, logger: false })
  addFormats.default(ajv, { mode: 'fast' })
  ajv.addFormat('iso-duration', text => durationMs(text) !== undefined)
  return ajv
}

const compiled = new LRUCache<string, { validate: Validate } | { problems: Problem[] }>({ max: 500 })

/**
 * Compiles a user's JSON Schema (draft 2020-12), or says what is wrong with it. References reach only into the schema
 * itself and may not recur, and what it costs to check a value is bounded.
 */
export function compileSchema(schema: JsonSchema): { validate: Validate } | { problems: Problem[] } {
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known) return known
  const result = compile(schema)
  compiled.set(text, result)
  return result
}

function compile(schema: JsonSchema): { validate: Validate } | { problems: Problem[] } {
  const problems = hazards(schema)
  if (problems.length > 0) return { problems }
  try {
    const ajv = createAjv()
    if (!ajv.validateSchema(schema)) return { problems: toProblems(ajv.errors ?? [], '') }
    return { validate: runner(ajv.compile(schema)) }
  } catch (error) {
    return { problems: [{ pointer: '', message: error instanceof Error ? error.message : 'is no JSON Schema' }] }
  }
}

function runner(check: ValidateFunction): Validate {
  return (value, at = '') => (check(value) ? [] : toProblems(check.errors ?? [], at))
}

function toProblems(errors: ErrorObject[], at: string): Problem[] {
  return errors.slice(0, MAX_PROBLEMS).map(error => ({ pointer: at + error.instancePath, message: messageOf(error) }))
}

function messageOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'additionalProperties') return `unknown field "${String(params.additionalProperty)}"`
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as JsonValue[]).map(String).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'format' && params.format === 'iso-duration') {
    return 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M'
  }
  return message ?? keyword
}
