import type { Ganglion } from '@ganglion/client'

/**
 * Kinds with their own routes, whose fields appear unchanged in files. Each kind comes after the kinds that it refers
 * to.
 */
const PRODUCTS = ['skills', 'reflexes', 'neurons', 'pathways', 'receptors', 'triggers', 'meetings'] as const

/** Head fields of a resource, which appear next to the fields of its kind. */
const HEAD = ['title', 'path', 'scope', 'is_active'] as const
/** Read-only fields. */
const SERVED = new Set([
  'id',
  'type',
  'slug',
  'brain_id',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'warnings',
  // Present only on triggers.
  'health',
  'health_reason',
  'last_fired_at',
  'next_fire_at',
])

export type Fields = Record<string, unknown>

/** A stored resource. The fields of its kind are at the same level as title and folder. */
export interface StoredResource {
  slug: string
  version: number
  fields: Fields
}

/** Returns the plural of a kind, as used in routes. */
export const pluralizeKind = (kind: string): string =>
  kind.endsWith('s') ? kind : kind.endsWith('x') ? `${kind}es` : `${kind}s`

export const getOrder = (kind: string): number => {
  const place = PRODUCTS.findIndex(product => product === kind)
  return place < 0 ? PRODUCTS.length : place
}

const isProduct = (kind: string) => PRODUCTS.some(product => product === kind)
const buildPath = (kind: string, slug?: string) =>
  `/v1/${isProduct(kind) ? kind : `resources/${kind}`}${slug === undefined ? '' : `/${encodeURIComponent(slug)}`}`

export interface ServedResource extends Fields {
  slug: string
  version: number
  /** Present after a save. */
  warnings?: Warning[]
}

export interface Warning {
  pointer: string
  message: string
}

/** Finds a resource. Returns undefined if it doesn't exist. */
export async function findStored(client: Ganglion, kind: string, slug: string): Promise<StoredResource | undefined> {
  const { APIError } = await import('@ganglion/client')
  try {
    return parseStored(
      await client.request<ServedResource | { receptor: ServedResource }>('GET', buildPath(kind, slug)),
    )
  } catch (error) {
    if (APIError.is(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

export interface DryRunResult {
  kind: string
  slug: string
  action: 'create' | 'update' | 'unchanged' | 'invalid'
  version: number | null
  /** Fields after the save. */
  fields?: Fields
  problems: { pointer: string; message: string }[]
}

/** Validates saves on the service without saving anything. The resources may refer to each other. */
export async function dryRunSaves(
  client: Ganglion,
  definitions: { kind: string; slug: string; fields: Fields }[],
): Promise<DryRunResult[]> {
  if (definitions.length === 0) return []
  const resources = definitions.map(({ kind, slug, fields }) => {
    const { snapshot, ...document } = omitHead(fields)
    return { catalog: kind, slug, ...pickHead(fields), document, snapshot: snapshot as Fields | undefined }
  })
  const { results } = await client.resources.dryRun({ resources })
  return results.map(({ kind, slug, action, version, problems, resource }) => {
    const fields = resource ? parseStored(resource).fields : undefined
    return { kind, slug, action, version, problems, fields }
  })
}

const unwrapReply = (reply: ServedResource | { receptor: ServedResource }): ServedResource =>
  ('receptor' in reply ? reply.receptor : reply) as ServedResource

/** Reads an existing resource in the catalog form, which all kinds share. */
export const readStored = async (client: Ganglion, kind: string, slug: string): Promise<StoredResource> =>
  parseStored(await client.resources.get(kind, slug))

function parseStored(reply: ServedResource | { receptor: ServedResource }): StoredResource {
  const served = unwrapReply(reply)
  const { document = {}, ...rest } = served as ServedResource & { document?: Fields }
  const fields = Object.fromEntries(Object.entries({ ...rest, ...document }).filter(([name]) => !SERVED.has(name)))
  return { slug: served.slug, version: served.version, fields }
}

/** Creates a resource. Without a slug, the service derives it from the title. */
export function createStored(client: Ganglion, kind: string, slug: string | undefined, fields: Fields) {
  const body = isProduct(kind) ? { slug, ...fields } : { slug, ...pickHead(fields), document: omitHead(fields) }
  return client.request<ServedResource>('POST', buildPath(kind), { body })
}

/** Updates some fields of a resource. Fails if the version has changed. */
export async function updateStored(
  client: Ganglion,
  kind: string,
  { slug, version }: StoredResource,
  changes: Fields,
): Promise<ServedResource> {
  const expected = { expected_version: version }
  const reply = isProduct(kind)
    ? await client.request<ServedResource>('PATCH', buildPath(kind, slug), { body: { ...changes, ...expected } })
    : await client.request<ServedResource>('POST', `${buildPath(kind, slug)}/patch`, {
        body: { merge: { ...pickHead(changes), document: omitHead(changes) }, ...expected },
      })
  return unwrapReply(reply)
}

export async function deleteStored(client: Ganglion, kind: string, slug: string): Promise<void> {
  await client.request('DELETE', buildPath(kind, slug))
}

/** Returns the slugs of all resources of a kind, except built-in ones. */
export async function listSlugs(client: Ganglion, kind: string): Promise<string[]> {
  const slugs: string[] = []
  for await (const resource of client.resources.list(kind, { limit: 200 }))
    if ((resource.scope as string) !== 'core') slugs.push(resource.slug)
  return slugs
}

const isHead = (name: string) => HEAD.some(head => head === name)
const pickHead = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => isHead(name)))
const omitHead = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !isHead(name)))
