import { findResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'

/** URI template for resources, for MCP clients. */
export const RESOURCE_URI = 'ganglion://{kind}/{id}'
export const VERSION_URI = 'ganglion://{kind}/{id}/versions/{version}'

export interface ResourceAddress {
  kind: ResourceKind
  idOrSlug: string
  version?: number
  /** Start of the part, in bytes. */
  offset: number
}

export const buildResourceUri = (kind: string, idOrSlug: string): string =>
  `ganglion://${kind}/${encodeURIComponent(idOrSlug)}`

const PATTERN = /^ganglion:\/\/([a-z_-]+)\/([^/?#]{1,300})(?:\/versions\/([1-9]\d{0,8}))?(?:\?offset=(\d{1,9}))?$/

/** Parses the URI of a resource, a version or a part. Returns undefined for any other URI. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  const [, name = '', id = '', version, offset = '0'] = PATTERN.exec(uri) ?? []
  const kind = findResourceKind(name)?.kind
  const idOrSlug = decodeId(id)
  if (kind === undefined || idOrSlug === undefined) return undefined
  return { kind, idOrSlug, version: version === undefined ? undefined : Number(version), offset: Number(offset) }
}

/** Decodes the id in a URI. Returns undefined if it is not encoded correctly. */
export function decodeId(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
