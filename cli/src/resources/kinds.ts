import type { Ganglion } from '@ganglion/client'

/** Kinds whose fields a file holds as they are, by their routes. In the order in which they refer to each other. */
const PRODUCTS = ['skills', 'reflexes', 'neurons', 'pathways', 'receptors', 'triggers', 'meetings'] as const

/** What describes a resource, beside the fields of its kind. */
const HEAD = ['title', 'path', 'scope', 'is_active'] as const
/** What the service sets. */
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
  // How a trigger is doing.
  'health',
  'health_reason',
  'last_fired_at',
  'next_fire_at',
])

export type Fields = Record<string, unknown>

/** A resource as the service has it, with its fields beside its title and folder. */
export interface StoredResource {
  slug: string
  version: number
  fields: Fields
}

/** The plural of a kind, which routes have. */
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
  /** After a save. */
  warnings?: Warning[]
}

export interface Warning {
  pointer: string
  message: string
}

/** Finds a resource; undefined if there is none. */
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
  /** The fields after a save. */
  fields?: Fields
  problems: { pointer: string; message: string }[]
}

/** Lets the service validate saves without saving. The resources may refer to each other. */
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

/** Reads a resource that exists in the shape of the catalog, which all kinds share. */
export const readStored = async (client: Ganglion, kind: string, slug: string): Promise<StoredResource> =>
  parseStored(await client.resources.get(kind, slug))

function parseStored(reply: ServedResource | { receptor: ServedResource }): StoredResource {
  const served = unwrapReply(reply)
  const { document = {}, ...rest } = served as ServedResource & { document?: Fields }
  const fields = Object.fromEntries(Object.entries({ ...rest, ...document }).filter(([name]) => !SERVED.has(name)))
  return { slug: served.slug, version: served.version, fields }
}

/** Creates a resource. Without a slug the service makes one of the title. */
export function createStored(client: Ganglion, kind: string, slug: string | undefined, fields: Fields) {
  const body = isProduct(kind) ? { slug, ...fields } : { slug, ...pickHead(fields), document: omitHead(fields) }
  return client.request<ServedResource>('POST', buildPath(kind), { body })
}

/** Changes fields of a resource that must still have the version. */
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

/** The slugs of all resources of a kind, without those that come with the service. */
export async function listSlugs(client: Ganglion, kind: string): Promise<string[]> {
  const slugs: string[] = []
  for await (const resource of client.resources.list(kind, { limit: 200 }))
    if ((resource.scope as string) !== 'core') slugs.push(resource.slug)
  return slugs
}

const isHead = (name: string) => HEAD.some(head => head === name)
const pickHead = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => isHead(name)))
const omitHead = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !isHead(name)))
