import { findResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'

/** The addresses of resources as MCP clients know them. */
export const RESOURCE_URI = 'ganglion://{kind}/{id}'
export const VERSION_URI = 'ganglion://{kind}/{id}/versions/{version}'

export interface ResourceAddress {
  kind: ResourceKind
  idOrSlug: string
  version?: number
  /** Where the part begins, in bytes. */
  offset: number
}

export const buildResourceUri = (kind: string, idOrSlug: string): string =>
  `ganglion://${kind}/${encodeURIComponent(idOrSlug)}`

const PATTERN = /^ganglion:\/\/([a-z_-]+)\/([^/?#]{1,300})(?:\/versions\/([1-9]\d{0,8}))?(?:\?offset=(\d{1,9}))?$/

/** Reads the URI of a resource, of a version or of a part. Returns undefined for any other. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  const [, name = '', id = '', version, offset = '0'] = PATTERN.exec(uri) ?? []
  const kind = findResourceKind(name)?.kind
  const idOrSlug = decodeId(id)
  if (kind === undefined || idOrSlug === undefined) return undefined
  return { kind, idOrSlug, version: version === undefined ? undefined : Number(version), offset: Number(offset) }
}

/** Decodes the id in a URI. Returns undefined for what is not encoded rightly. */
export function decodeId(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
