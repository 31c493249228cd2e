import { load } from 'js-yaml'
import { isJsonObject, type JsonObject, type Problem } from '../../shared/json/json.ts'

/** Maximum length of a description in characters. YAML takes ten times as long to parse as JSON. */
const MAX_JSON_CHARS = 2_000_000
const MAX_YAML_CHARS = 1_000_000
const MAX_DEPTH = 100

export type ParseResult = { document: JsonObject } | { problems: Problem[] }

const refuseDocument = (message: string): ParseResult => ({ problems: [{ pointer: '', message }] })

/** Parses a description, which is an object or a text in JSON or YAML. */
export function parseDescription(source: unknown): ParseResult {
  if (isJsonObject(source)) return { document: source }
  if (typeof source !== 'string') return refuseDocument('must be an OpenAPI document, as an object or as text')
  try {
    const document: unknown = /^\s*\{/.test(source) ? readJson(source) : readYaml(source)
    return isJsonObject(document) ? { document } : refuseDocument('must be an OpenAPI document')
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : ''
    return refuseDocument(`cannot be parsed: ${why.slice(0, 200)}`)
  }
}

function readJson(text: string): unknown {
  if (text.length > MAX_JSON_CHARS) throw new Error(`it is longer than ${MAX_JSON_CHARS} characters`)
  return JSON.parse(text)
}

/** Parses YAML without aliases: a few lines of them can expand beyond the memory. */
function readYaml(text: string): unknown {
  if (text.length > MAX_YAML_CHARS) throw new Error(`as YAML it is longer than ${MAX_YAML_CHARS} characters; send JSON`)
  return load(text, { maxAliases: 0, maxDepth: MAX_DEPTH })
}
