import { Unavailable, ValidationError } from '../../domain/errors.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import type { ReflexDocument } from '../../domain/resources/kinds/reflexes.ts'
import { DISCOVER_WORKFLOW, type DiscoverRunInput } from '../../workflows/discover/messages.ts'
import type { Launch, Launcher } from '../jobs/launch.ts'
import type { Idempotency } from '../jobs/types.ts'
import { partedChange } from '../products/fields.ts'
import { createProduct } from '../products/product.ts'
import { atTopLevel } from '../resources/at-top-level.ts'
import { requireWritable } from '../resources/finding.ts'
import type { ResourcesService, ResourceView } from '../resources/types.ts'
import type { ReflexesService, ReflexView } from './types.ts'

interface Deps {
  resources: ResourcesService
  launcher: Pick<Launcher, 'start'>
}

const KIND = 'reflexes'

/** Reflexes as a product: the spine's rows in a shape of their own, and the job that asks others for their tools. */
export function createReflexes({ resources, launcher }: Deps): ReflexesService {
  const product = createProduct(resources, KIND, reflexView)

  function startDiscovery(principal: Principal, reflex: ReflexView, idempotency?: Idempotency) {
    const plan = { name: 'discover', launch: (job: JobRef) => launchOf(principal, reflex, job) }
    return launcher.start(principal, () => Promise.resolve(plan), idempotency)
  }

  /** A reflex that is saved is saved, also while its tools cannot be asked for. */
  async function discovered(
    principal: Principal,
    reflex: ReflexView,
    idempotency?: Idempotency,
  ): Promise<string | null> {
    try {
      return (await startDiscovery(principal, reflex, idempotency)).job_id
    } catch (error) {
      if (error instanceof Unavailable) return null
      throw error
    }
  }

  return {
    ...product,

    async create(principal, fields, idempotency) {
      const made = await product.create(principal, fields, idempotency)
      const isOpen = isListedElsewhere(made) && made.tools.length === 0
      return { ...made, job_id: isOpen ? await discovered(principal, made, following(idempotency)) : null }
    },

    async patch(principal, idOrSlug, { note, ...fields }, expected_version) {
      const { head, document } = partedChange(fields)
      let before: ReflexDocument | undefined
      const saving = resources.edit(
        principal,
        KIND,
        idOrSlug,
        now => {
          before = now.document as ReflexDocument
          return { ...now, ...head, document: { ...before, ...document } }
        },
        { expected_version, note },
      )
      const saved = reflexView(await saving.catch(atTopLevel))
      const hasMoved = saved.url !== before?.url && !('openapi' in document) && !('tools' in document)
      return { ...saved, job_id: hasMoved && isListedElsewhere(saved) ? await discovered(principal, saved) : null }
    },

    async refresh(principal, idOrSlug, idempotency) {
      const reflex = await product.read(principal, idOrSlug)
      requireWritable(principal, reflex.brain_id)
      if (!isListedElsewhere(reflex)) throw new ValidationError('This reflex has no source to list tools from')
      return startDiscovery(principal, reflex, idempotency)
    },
  }
}

const isListedElsewhere = ({ source, url }: ReflexView): boolean =>
  (source === 'openapi' || source === 'mcp') && url !== undefined

/** The request that made the reflex has used the key; what follows from it has one of its own. */
const following = (idempotency: Idempotency | undefined): Idempotency | undefined =>
  idempotency && { ...idempotency, key: `discover:${idempotency.key}` }

function reflexView({ document, scope: _scope, type: _type, ...head }: ResourceView): ReflexView {
  return { ...head, type: KIND, ...(document as ReflexDocument) }
}

function launchOf(principal: Principal, { id, slug, title }: ReflexView, job: JobRef): Launch {
  const run: DiscoverRunInput = { job, reflex: { id, slug, title }, requester: principal.actor }
  const details = `Lists the tools of **${slug}**, asked for by ${principal.actor}. Job \`${job.job_id}\`.`
  return {
    job,
    kind: 'discover',
    title: `Tools of ${title}`.slice(0, 200),
    requester: principal.actor,
    input: { reflex_id: id, slug },
    workflow: { type: DISCOVER_WORKFLOW, args: [run], details },
  }
}
