import { browseResources, findHeads } from '../../../data/resources/browse-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { lockFolders, moveResources, type Move } from '../../../data/resources/resource-moves-store.ts'
import { countFolders, listChildren, listTree } from '../../../data/resources/resource-tree-store.ts'
import { DOCUMENT_KINDS, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { TestContext } from './place.ts'
import { PLACES } from './seed.ts'

/** One request, sent through HTTP and as bare statements. */
export interface Probe {
  name: string
  /** The name for `--only`. */
  group: 'browse' | 'resource-tree' | 'tree' | 'move'
  http(context: TestContext): Promise<unknown>
  sql(tx: Tx): Promise<unknown>
  /** Overrides the defaults: milliseconds at the 95th percentile, and number of samples. */
  aim?: number
  samples?: number
}

const LIMIT = 50
/** The time limit of a statement. */
const STATEMENT_MS = 5_000

/**
 * The resources that a request without a brain can see: resources in the default brain, and resources without a
 * brain.
 */
const visible = ({ brain_id }: TestContext) => ({ brain_ids: [brain_id], limit: LIMIT + 1 })

export async function createProbes(context: TestContext): Promise<Probe[]> {
  const [children, moves] = await Promise.all([childrenProbes(context), moveProbes(context)])
  return [...browseProbes(context), ...children, ...treeProbes(context), ...moves]
}

function browseProbes({ brain_id }: TestContext): Probe[] {
  const group = 'browse'
  const page = { kind: 'assets' as const, brain_ids: [brain_id], limit: LIMIT, offset: 0 }
  const browse = (name: string, body: object, more: Partial<Parameters<typeof browseResources>[1]> = {}): Probe => ({
    name: `browse, ${name}`,
    group,
    http: context => context.send('POST', '/v1/browse', { type: 'assets', ...body }),
    sql: tx => browseResources(tx, { ...page, ...more }),
  })
  return [
    browse('50 of 30,000', {}),
    browse('from the 20,000th', { offset: 20_000 }, { offset: 20_000 }),
    browse('within a brain', { brain_id }),
    {
      ...browse('50 full heads', { full_heads: true }),
      sql: async tx => {
        const { rows } = await browseResources(tx, page)
        return findHeads(
          tx,
          rows.map(({ id }) => id),
          8_000_000,
        )
      },
    },
  ]
}

async function childrenProbes(context: TestContext): Promise<Probe[]> {
  const list = (name: string, body: object, sql: Probe['sql']): Probe => ({
    name: `resource-tree, ${name}`,
    group: 'resource-tree',
    http: ({ send }) => send('POST', '/v1/browse/resource-tree', body),
    sql,
  })
  const { brain_id } = context
  const all = visible(context)
  const first = (path: string) => ({ parent_key: `folder:${path}` })
  const big = await context.send<{ cursor: string; nodes: { title: string; resource: { id: string } }[] }>(
    'POST',
    '/v1/browse/resource-tree',
    first(PLACES.big),
  )
  const last = big.nodes.at(-1)
  if (!last) throw new Error('the big folder is empty')
  const after = { title: last.title, id: last.resource.id }
  const twenty = Array.from({ length: 20 }, (_, i) => `/team 3/project ${i}`)
  return [
    list('the root', {}, tx => listChildren(tx, [{ path: '/' }], all)),
    list('the root within a brain', { brain_id }, tx => listChildren(tx, [{ path: '/' }], all)),
    list('four levels deep', first(PLACES.deep), tx => listChildren(tx, [{ path: PLACES.deep }], all)),
    list('a folder of 20,000', first(PLACES.big), tx => listChildren(tx, [{ path: PLACES.big }], all)),
    list('its second page', { ...first(PLACES.big), cursor: big.cursor }, tx =>
      listChildren(tx, [{ path: PLACES.big, after }], all),
    ),
    list('20 folders at once', { parent_keys: twenty.map(path => `folder:${path}`) }, tx =>
      listChildren(
        tx,
        twenty.map(path => ({ path })),
        all,
      ),
    ),
  ]
}

function treeProbes(context: TestContext): Probe[] {
  const all = visible(context)
  const tree = (name: string, query: string, sql: Probe['sql']): Probe => ({
    name: `tree, ${name}`,
    group: 'tree',
    http: ({ send }) => send('GET', `/v1/resources/tree?${query}`),
    sql,
  })
  const kinds: readonly ResourceKind[] = DOCUMENT_KINDS
  return [
    tree('rows', 'shape=rows', tx => listTree(tx, '/', all)),
    tree('rows of documents', 'shape=rows&tree_profile=document', tx => listTree(tx, '/', { ...all, kinds })),
    tree('rows of a subtree', `path_prefix=${encodeURIComponent('/team 3')}`, tx => listTree(tx, '/team 3', all)),
    tree('folders', 'shape=folders', tx => countFolders(tx, '/', all)),
    tree('folders of documents', 'shape=folders&tree_profile=document', tx => countFolders(tx, '/', { ...all, kinds })),
  ]
}

/** HTTP moves a folder away, and the bare statement moves it back. */
async function moveProbes({ inWorkspace }: TestContext): Promise<Probe[]> {
  const rows = await inWorkspace(tx => listTree(tx, PLACES.batch, { brain_ids: null, limit: 100 }))
  const ids = rows.map(({ id }) => id)
  const moving = (name: string, there: object, back: Partial<Move>): Probe => ({
    name: `move, ${name}`,
    group: 'move',
    http: ({ send }) => send('POST', '/v1/resources/move', { ...there, path: '/elsewhere' }),
    sql: async tx => {
      const wanted = { ids: [], folders: [], to: PLACES.batch, visible: null, writable: null, kinds: null, max: 20_000 }
      const [, { total }] = await Promise.all([
        back.folders && lockFolders(tx),
        moveResources(tx, { ...wanted, maxListed: 1_000, ...back }),
      ])
      if (total === 0) throw new Error('there was nothing to move back')
    },
  })
  const folder = (name: string, path: string): Probe => {
    const [parent, own] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/'))]
    return moving(name, { folders: [path] }, { folders: [`/elsewhere${own}`], to: parent })
  }
  return [
    moving('1 resource', { resource_ids: ids.slice(0, 1) }, { ids: ids.slice(0, 1) }),
    moving('100 resources', { resource_ids: ids }, { ids }),
    folder('a folder of 100', PLACES.small),
    // Each turn leaves a thousand dead rows, which autovacuum removes at some later time.
    { ...folder('a folder of 1,000', PLACES.batch), samples: 40 },
    { ...folder('a folder of 20,000', PLACES.big), aim: STATEMENT_MS, samples: 8 },
  ]
}
