import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../json/json.ts'
import { escapePointer } from '../json/json-pointer.ts'
import { measureExtent, MAX_DEPTH } from '../json/json-size.ts'
import { describeOptions } from '../problem-messages.ts'
import { FORMATS } from './formats.ts'
import { compilePattern } from './patterns.ts'
import { parseReference, readPointer } from './references.ts'

/** Maximum number of schema parts with references expanded. It bounds the cost of validating one value. */
const MAX_EXPANDED_PARTS = 5_000
const MAX_SCHEMA_CHARS = 65_536
const MAX_UNIQUE_ITEMS = 1_000
/** Limits for a single pattern's text, and for all compiled patterns: `a{1000}` is short but has a thousand steps. */
const MAX_PATTERN_CHARS = 500
const MAX_PATTERNS_SIZE = 20_000

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** Result of inspecting a schema before compiling it. */
export interface Survey {
  problems: Problem[]
  /** Number of parts with references expanded. */
  size: number
}

/**
 * Finds features that make validation endless, quadratic or ineffective: recursion, external references, nested
 * `$id`s, asynchronous schemas, `uniqueItems` on long lists, invalid patterns, unknown formats.
 */
export function surveySchema(schema: JsonSchema): Survey {
  if (measureExtent(schema).depth > MAX_DEPTH) return refuseSchema(`a schema must be at most ${MAX_DEPTH} levels deep`)
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) {
    return refuseSchema(`a schema must have at most ${MAX_SCHEMA_CHARS} characters`)
  }
  const walk = new SchemaWalk(schema)
  const size = walk.measure(schema, '', [])
  const problems = [...walk.problems.values()]
  if (problems.length > 0 || size <= MAX_EXPANDED_PARTS) return { problems, size }
  return refuseSchema(`must have at most ${MAX_EXPANDED_PARTS} parts with its references expanded, not ${size}`)
}

const refuseSchema = (message: string): Survey => ({ problems: [{ pointer: '', message }], size: 0 })

class SchemaWalk {
  /** Problems by pointer, because a part with several references is visited several times. */
  readonly problems = new Map<string, Problem>()
  private readonly root: JsonSchema
  private readonly sizes = new Map<string, number>()
  private patternSize = 0

  constructor(root: JsonSchema) {
    this.root = root
  }

  measure(part: JsonValue, pointer: string, following: string[]): number {
    if (Array.isArray(part)) {
      return part.reduce<number>((sum, inner, i) => sum + this.measure(inner, `${pointer}/${i}`, following), 1)
    }
    if (typeof part !== 'object' || part === null) return 1
    this.checkUnique(part, pointer)
    let size = 1
    for (const [key, inner] of Object.entries(part)) {
      const place = `${pointer}/${escapePointer(key)}`
      this.checkKeyword(key, inner, place)
      // A property can have the same name as a keyword. In that case, the value is a schema, never a string.
      if (REFERENCES.has(key) && typeof inner === 'string') size += this.followReference(inner, place, following)
      else size += this.measure(inner, place, following)
    }
    return size
  }

  private checkKeyword(key: string, value: JsonValue, pointer: string): void {
    if (key === '$async' && value === true) this.report(pointer, 'must not be set: it is not part of JSON Schema')
    if (key === '$schema' && typeof value === 'string' && value.replace(/#$/, '') !== DIALECT) {
      this.report(pointer, `must be draft 2020-12: ${DIALECT}`)
    }
    // Below a nested $id, `#/…` refers to a different location than the inspected one.
    if (key === '$id' && typeof value === 'string' && pointer !== '/$id') {
      this.report(pointer, 'must be set in the root schema only')
    }
    if (key === 'format' && typeof value === 'string') this.checkFormat(value, pointer)
    if (key === 'pattern' && typeof value === 'string') this.checkPattern(value, pointer)
    if (key === 'patternProperties' && isJsonObject(value)) {
      for (const pattern of Object.keys(value)) this.checkPattern(pattern, `${pointer}/${escapePointer(pattern)}`)
    }
  }

  private checkFormat(format: string, pointer: string): void {
    if (FORMATS.has(format) || isInsideData(pointer)) return
    this.report(
      pointer,
      `${describeOptions([...FORMATS.keys()].toSorted())}, not ${JSON.stringify(format.slice(0, 50))}`,
    )
  }

  private checkPattern(pattern: string, pointer: string): void {
    if (pattern.length > MAX_PATTERN_CHARS)
      return this.report(pointer, `must have at most ${MAX_PATTERN_CHARS} characters`)
    if (this.patternSize > MAX_PATTERNS_SIZE) return
    try {
      this.patternSize += compilePattern(pattern).programSize()
      if (this.patternSize > MAX_PATTERNS_SIZE) this.report(pointer, 'must have fewer repetitions across all patterns')
    } catch (error) {
      this.report(pointer, error instanceof Error ? error.message : 'must be a regular expression')
    }
  }

  private checkUnique(part: { [key: string]: JsonValue }, pointer: string): void {
    if (part.uniqueItems !== true) return
    if (typeof part.maxItems === 'number' && part.maxItems <= MAX_UNIQUE_ITEMS) return
    this.report(`${pointer}/uniqueItems`, `must be combined with maxItems of at most ${MAX_UNIQUE_ITEMS}`)
  }

  private followReference(ref: string, pointer: string, following: string[]): number {
    const place = parseReference(ref)
    const target = place === undefined ? undefined : readPointer(this.root, place)
    if (place === undefined || target === undefined) {
      this.report(pointer, 'must refer to a definition inside this schema, such as #/$defs/name')
      return 0
    }
    if (following.includes(ref)) {
      this.report(pointer, 'must not be recursive')
      return 0
    }
    const cachedSize = this.sizes.get(ref)
    if (cachedSize !== undefined) return cachedSize
    const size = this.measure(target, place, [...following, ref])
    this.sizes.set(ref, size)
    return size
  }

  private report(pointer: string, message: string): void {
    this.problems.set(pointer, { pointer, message })
  }
}

/** Keywords whose value is data, and keywords whose value contains schemas under arbitrary names. */
const DATA = new Set(['const', 'default', 'enum', 'examples'])
const NAMED_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Returns whether a pointer leads into data within a schema, such as a default. */
function isInsideData(pointer: string): boolean {
  let isName = false
  for (const step of pointer.split('/').slice(1, -1)) {
    if (!isName && DATA.has(step)) return true
    isName = !isName && NAMED_SCHEMAS.has(step)
  }
  return false
}
