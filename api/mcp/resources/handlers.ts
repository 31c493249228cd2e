import { type Resource, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { ServerDeps } from '../build-server.ts'
import type { McpCaller } from '../calls/call-tool.ts'
import { checkPermission } from '../calls/check-permission.ts'
import { readCursor, encodeCursor } from '../protocol/cursor.ts'
import { checkKind, type Reach } from '../calls/reach.ts'
import { asProtocolError } from '../protocol/protocol-errors.ts'
import { isSkillUri, readSkillFile } from '../skills/skills.ts'
import { MAX_PART_BYTES, readResourceText } from './read-resource-text.ts'
import { parseResourceUri, RESOURCE_URI, buildResourceUri, VERSION_URI } from './uris.ts'
import type { ResourceEntry } from '../../../contract/resources/discovery.ts'

const PAGE_SIZE = 50
/** Kinds in the resource list. */
const LISTED = ['artifacts', 'assets'] as const
const TEXT = { mimeType: 'text/markdown' }

/**
 * Serves workspace resources as MCP resources. Every resource can be read by its URI. Lists contain only documents,
 * most recently changed first.
 */
export function handleResources(server: Server, deps: ServerDeps, caller: McpCaller, reach: Reach): void {
  const { accessOf, discovery } = deps
  const { principal } = caller

  const listDocuments = async (offset: number) => {
    checkPermission(accessOf, 'browse.list', caller)
    const query = { limit: PAGE_SIZE, offset, full_heads: false }
    const pages = await Promise.all(
      LISTED.filter(kind => reach.kinds.includes(kind)).map(type => discovery.browse(principal, { ...query, type })),
    )
    const entries = pages.flatMap(({ data }) => data).sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    const hasMore = pages.some(({ total }) => total > offset + PAGE_SIZE)
    return {
      resources: entries.map(presentEntry),
      ...(hasMore && { nextCursor: encodeCursor(offset + PAGE_SIZE) }),
    }
  }

  const read = async (uri: string) => {
    checkPermission(accessOf, 'resources.get', caller)
    if (isSkillUri(uri)) {
      checkKind(reach, 'skills')
      return { contents: [{ uri, ...TEXT, text: await readSkillFile(deps, principal, uri) }] }
    }
    const address = parseResourceUri(uri)
    if (!address) throw new NotFound(`"${uri}"`)
    checkKind(reach, address.kind)
    const range = { offset: address.offset, max_bytes: MAX_PART_BYTES }
    const { text, media_type, size, next_offset } = await readResourceText(deps, principal, address, range)
    const next = next_offset === undefined ? undefined : `${uri.replace(/\?offset=\d+$/, '')}?offset=${next_offset}`
    const _meta = next === undefined ? undefined : { size, next_uri: next }
    return { contents: [{ uri, mimeType: getTextType(media_type), text, _meta }] }
  }

  server.setRequestHandler('resources/list', ({ params }) =>
    listDocuments(readCursor(params?.cursor)).catch(asProtocolError),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    read(uri).catch((error: unknown) => {
      if (error instanceof NotFound) throw new ResourceNotFoundError(uri)
      return asProtocolError(error)
    }),
  )
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
    const isOurs = ref.type === 'ref/resource' && (ref.uri === RESOURCE_URI || ref.uri === VERSION_URI)
    const values = isOurs ? await complete(argument, context?.arguments ?? {}).catch(asProtocolError) : []
    return { completion: { values: values.slice(0, 100), hasMore: values.length > 100 } }
  })

  async function complete({ name, value }: { name: string; value: string }, values: Record<string, string>) {
    if (name === 'kind') return reach.kinds.filter(kind => kind.startsWith(value))
    const kind = reach.kinds.find(candidate => candidate === values.kind)
    if (name !== 'id' || kind === undefined) return []
    checkPermission(accessOf, 'browse.list', caller)
    const page = await discovery.browse(principal, { type: kind, limit: 200, offset: 0, full_heads: false })
    return page.data.map(({ slug }) => slug).filter(slug => slug.startsWith(value))
  }
}

/** Document texts are served as text, regardless of the original file type. */
const getTextType = (mediaType: string): string =>
  mediaType.startsWith('text/') || mediaType === 'application/json' ? mediaType : 'text/plain'

const presentEntry = ({ id, type, slug, title, path, updated_at }: ResourceEntry): Resource => ({
  uri: buildResourceUri(type, id),
  name: slug,
  title,
  description: path,
  annotations: { lastModified: updated_at },
})

const TEMPLATES = [
  {
    name: 'resource',
    title: 'A resource',
    uriTemplate: RESOURCE_URI,
    description: 'Text of a document or another resource, by kind such as assets, artifacts or pathways',
  },
  {
    name: 'version',
    title: 'A version of a resource',
    uriTemplate: VERSION_URI,
    description: 'Text of an earlier version',
  },
]
