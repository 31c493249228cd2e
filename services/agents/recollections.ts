import type { Database } from '../../data/shared/database.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RecollectionDocument } from '../../domain/resources/kinds/recollections.ts'
import { cleanTitle } from '../../domain/shared/text/title.ts'
import { inContext } from '../access/brains.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { getHead } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/resources.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import type { RecollectionView, RecollectionMatches } from '../../contract/agents/recollection.ts'
import type { SearchPrincipal, SearchService } from '../search/search.ts'

export interface NewRecollection {
  neuron_id: string
  text: string
  source?: RecollectionView['source']
}

/** Texts that neurons remember across their threads. */
export interface Recollections {
  list(
    principal: Principal,
    filter: { neuron?: string; limit: number; offset: number },
  ): Promise<{ data: RecollectionView[]; total: number }>
  /** Throws NotFound for an unknown neuron. */
  remember(principal: Principal, recollection: NewRecollection, idempotency?: Idempotency): Promise<RecollectionView>
  /** Searches a neuron's recollections. Throws Unavailable. */
  recall(
    principal: SearchPrincipal,
    request: { neuron_id: string; query: string; limit: number },
    options?: { signal?: AbortSignal },
  ): Promise<RecollectionMatches>
  forget(principal: Principal, id: string): Promise<void>
  /** Returns the id of a neuron in the brain context. Throws NotFound, and Forbidden without a context. */
  getNeuronId(principal: Principal, idOrSlug: string): Promise<string>
}

interface Deps {
  db: Database
  resources: Pick<ResourcesService, 'list' | 'create' | 'remove'>
  search: SearchService
}

const KIND = 'recollections'
const MAX_TITLE_CHARS = 100

export function createRecollections({ db, resources, search }: Deps): Recollections {
  return {
    async list(principal, { neuron, ...page }) {
      const path = neuron === undefined ? undefined : buildFolderPath(await getNeuronId(principal, neuron))
      const { data, total } = await resources.list(principal, KIND, { ...page, path })
      return { data: data.map(presentRecollection), total }
    },

    async remember(principal, { neuron_id, text, source = null }, idempotency) {
      const title = cleanTitle(text, MAX_TITLE_CHARS) || 'Untitled'
      const fields = { title, path: buildFolderPath(neuron_id), document: { text, neuron_id, source } }
      return presentRecollection(await resources.create(principal, KIND, fields, idempotency))
    },

    async recall(principal, { neuron_id, query, limit }, options) {
      const filters = { metadata: { neuron_id } }
      const request = { query, mode: 'hybrid' as const, types: [KIND as 'recollections'], filters, limit, offset: 0 }
      const { matches, truncated } = await search.search(principal, request, options)
      const recollections = matches.map(({ resource_id, chunk, title, score }) => ({
        id: resource_id,
        text: chunk?.text ?? title,
        score,
      }))
      return { recollections, ...(truncated && { truncated }) }
    },

    async forget(principal, id) {
      await resources.remove(principal, KIND, id)
    },
    getNeuronId,
  }

  async function getNeuronId(principal: Principal, idOrSlug: string): Promise<string> {
    const head = await db.inWorkspace(principal.workspace_id, tx =>
      getHead(tx, inContext(principal), { kind: 'neurons', idOrSlug }),
    )
    if (head.deleted_at !== null) throw new NotFound('Neuron')
    return head.id
  }
}

/** All of a neuron's recollections share a folder. */
const buildFolderPath = (neuronId: string): string => `/recollections/${neuronId}`

function presentRecollection({ id, document, created_at }: ResourceView): RecollectionView {
  const { text, neuron_id, source } = document as RecollectionDocument
  return { id, text, neuron_id, source, created_at }
}
