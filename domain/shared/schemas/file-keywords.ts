import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv'

/** A file whose id is in a value. */
export interface ReferencedFile {
  id: string
  media_type: string
  /** Bytes. */
  size: number
}

/**
 * Keywords that limit the file whose id is the value: `contentMediaType` contains media types, separated by commas,
 * such as `application/pdf, image/*`, and `maxBytes` is the maximum size. The validator gets the files as its context.
 * Texts that are not ids of these files are accepted.
 */
export const FILE_KEYWORDS: readonly FuncKeywordDefinition[] = [
  defineKeyword('contentMediaType', (limit, { media_type }) => {
    if (typeof limit !== 'string') return undefined
    const types = limit.split(',').map(type => type.trim().toLowerCase())
    if (types.some(type => matchesType(type, media_type))) return undefined
    return `must be a file of the type ${types.join(' or ')}, not ${media_type}`
  }),
  defineKeyword('maxBytes', (limit, { size }) =>
    typeof limit === 'number' && size > limit ? `must be a file of at most ${limit} bytes, not ${size}` : undefined,
  ),
]

/** @param findProblem returns the problem with a file, or undefined */
function defineKeyword(
  keyword: string,
  findProblem: (limit: unknown, file: ReferencedFile) => string | undefined,
): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = function (this: readonly ReferencedFile[] | undefined, limit, text: string) {
    const file = this?.find(({ id }) => id === text.toLowerCase())
    const message = file && findProblem(limit, file)
    if (message === undefined) return true
    validate.errors = [{ keyword, message, params: {} }]
    return false
  }
  return { keyword, type: 'string', validate }
}

function matchesType(type: string, media_type: string): boolean {
  if (type === '*/*' || type === media_type) return true
  return type.endsWith('/*') && media_type.startsWith(type.slice(0, -1))
}
