import { NotFound } from '../../../domain/shared/errors.ts'
import { findResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { line } from '../../../contract/shared/text.ts'
import { decodeId } from './uris.ts'

/** Formats a resource id for tools: `<kind>/<id>`. */
export const formatReference = (kind: string, id: string): string => `${kind}/${id}`

/** Returns the API URL of a resource. */
export const buildResourceUrl = ({ BASE_URL }: { BASE_URL?: string }, kind: string, id: string): string =>
  new URL(`/v1/resources/${kind}/${id}`, BASE_URL ?? 'http://localhost').href

export const reference = line(500).meta({ description: 'The `id` of a result: `<kind>/<id or slug>`' })

/** Parses `<kind>/<id or slug>` or a resource URI. Throws NotFound. */
export function parseReference(text: string): { kind: ResourceKind; idOrSlug: string } {
  const [, name = '', id = ''] = /^(?:ganglion:\/\/)?([a-z_-]+)\/([^/]+)$/.exec(text) ?? []
  const kind = findResourceKind(name)?.kind
  const idOrSlug = decodeId(id)
  if (kind === undefined || idOrSlug === undefined) throw new NotFound(`"${text}"`)
  return { kind, idOrSlug }
}
