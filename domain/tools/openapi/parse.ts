import { load } from 'js-yaml'
import { isJsonObject, type JsonObject, type Problem } from '../../json.ts'

/** Of a description as text, in characters. YAML takes ten times as long to read as JSON. */
const MAX_JSON_CHARS = 2_000_000
const MAX_YAML_CHARS = 1_000_000
const MAX_DEPTH = 100

export type Parsed = { document: JsonObject } | { problems: Problem[] }

const refuse = (message: string): Parsed => ({ problems: [{ pointer: '', message }] })

/** A description as JSON: it comes as such, or as text in JSON or YAML. */
export function parseDescription(given: unknown): Parsed {
  if (isJsonObject(given)) return { document: given }
  if (typeof given !== 'string') return refuse('must be an OpenAPI document, as an object or as text')
  try {
    const document: unknown = /^\s*\{/.test(given) ? readJson(given) : readYaml(given)
    return isJsonObject(document) ? { document } : refuse('must be an OpenAPI document')
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : ''
    return refuse(`cannot be parsed: ${why.slice(0, 200)}`)
  }
}

function readJson(text: string): unknown {
  if (text.length > MAX_JSON_CHARS) throw new Error(`it is longer than ${MAX_JSON_CHARS} characters`)
  return JSON.parse(text)
}

/** Without aliases: a few lines of them can stand for more than there is memory. */
function readYaml(text: string): unknown {
  if (text.length > MAX_YAML_CHARS) throw new Error(`as YAML it is longer than ${MAX_YAML_CHARS} characters; send JSON`)
  return load(text, { maxAliases: 0, maxDepth: MAX_DEPTH })
}
