import type { JsonSchema, JsonValue, Problem } from '../json.ts'

/** Places in a schema after its references are written out: what checking one value costs at most, per value. */
const MAX_EXPANDED = 5_000
const MAX_CHARACTERS = 65_536
const MAX_UNIQUE = 1_000

/** What in a schema could make checking a value endless or quadratic: recursion, outside references, `uniqueItems`. */
export function hazards(schema: JsonSchema): Problem[] {
  if (JSON.stringify(schema).length > MAX_CHARACTERS) {
    return [{ pointer: '', message: `a schema is at most ${MAX_CHARACTERS} characters long` }]
  }
  const walk = new Walk(schema)
  const size = walk.measure(schema, '', [])
  if (walk.problems.length === 0 && size > MAX_EXPANDED) {
    walk.problems.push({ pointer: '', message: `has ${size} parts with its references written out; ${MAX_EXPANDED} at most` })
  }
  return walk.problems
}

class Walk {
  readonly problems: Problem[] = []
  private readonly root: JsonSchema
  private readonly sizes = new Map<string, number>()

  constructor(root: JsonSchema) {
    this.root = root
  }

  measure(part: JsonValue, pointer: string, following: string[]): number {
    if (Array.isArray(part)) return part.reduce<number>((sum, inner, i) => sum + this.measure(inner, `${pointer}/${i}`, following), 1)
    if (typeof part !== 'object' || part === null) return 1
    this.checkUnique(part, pointer)
    let size = 1
    for (const [key, inner] of Object.entries(part)) {
      if (key === '$ref' || key === '$dynamicRef') size += this.follow(inner, `${pointer}/${key}`, following)
      else size += this.measure(inner, `${pointer}/${key}`, following)
    }
    return size
  }

  private checkUnique(part: { [key: string]: JsonValue }, pointer: string): void {
    if (part.uniqueItems !== true) return
    if (typeof part.maxItems === 'number' && part.maxItems <= MAX_UNIQUE) return
    this.problems.push({ pointer: `${pointer}/uniqueItems`, message: `needs maxItems of at most ${MAX_UNIQUE} beside it` })
  }

  private follow(ref: JsonValue, pointer: string, following: string[]): number {
    const target = typeof ref === 'string' && ref.startsWith('#') ? resolve(this.root, ref.slice(1)) : undefined
    if (typeof ref !== 'string' || target === undefined) {
      this.problems.push({ pointer, message: 'refers to nothing inside this schema' })
      return 0
    }
    if (following.includes(ref)) {
      this.problems.push({ pointer, message: 'schemas that contain themselves are not supported' })
      return 0
    }
    const known = this.sizes.get(ref)
    if (known !== undefined) return known
    const size = this.measure(target, ref.slice(1), [...following, ref])
    this.sizes.set(ref, size)
    return size
  }
}

function resolve(root: JsonSchema, pointer: string): JsonValue | undefined {
  const steps = pointer.split('/').slice(1).map(step => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<JsonValue | undefined>((part, step) => {
    if (typeof part !== 'object' || part === null) return undefined
    return Array.isArray(part) ? part[Number(step)] : Object.hasOwn(part, step) ? part[step] : undefined
  }, root)
}
