import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { parseExternalJson } from '../../../domain/shared/json/parsing/parse-external-json.ts'
import { toStorableText } from '../../../domain/shared/json/storable.ts'

/** Values that are nested more deeply would overflow the stack of serializers. */
const MAX_DEPTH = 200
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i

/**
 * Returns the body as JSON if its type and content are JSON, otherwise as text decoded with its charset. Numbers that
 * would lose precision are kept as text.
 */
export function decodeBody(body: Uint8Array, contentType = ''): JsonValue {
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim())
  const text = decoderFor(parameters).decode(body)
  return (JSON_TYPE.test(type) ? parseJson(text) : undefined) ?? toStorableText(text)
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value = parseExternalJson(text)
    return isDeeper(value, MAX_DEPTH) ? undefined : value
  } catch {
    return undefined
  }
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(part => isDeeper(part, levels - 1))
}

function decoderFor(parameters: string[]) {
  const charset = parameters.find(parameter => /^charset=/i.test(parameter))?.slice('charset='.length)
  try {
    return new TextDecoder(charset?.replaceAll('"', '') ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}
