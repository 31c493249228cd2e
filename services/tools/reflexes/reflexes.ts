import { Unavailable, ValidationError } from '../../../domain/shared/errors.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { ReflexDocument } from '../../../domain/resources/kinds/reflexes.ts'
import { cleanTitle } from '../../../domain/shared/text/title.ts'
import type { JobAccepted } from '../../../contract/runs/control.ts'
import type { ResourceView } from '../../../contract/resources/resource.ts'
import type { ReflexView, SavedReflex } from '../../../contract/tools/reflex.ts'
import { DISCOVER_WORKFLOW, type DiscoverRunInput } from '../../../workflows/resources/discover-messages.ts'
import { checkWritable, inBrain } from '../../access/brains.ts'
import { type JobStart, type JobStarter, acceptJob } from '../../runs/start/job-starter.ts'
import type { Idempotency } from '../../shared/idempotency.ts'
import { splitChange } from '../../resources/product-fields.ts'
import { createProduct, type ProductService, type ProductFields } from '../../resources/product.ts'
import { rethrowFlattened } from '../../resources/flatten-pointers.ts'
import type { ResourcesService } from '../../resources/resources.ts'
import type { SecretSource } from '../secrets/secret-source.ts'
import type { Problem } from '../../../domain/shared/json/json.ts'
import { toPointer } from '../../../domain/shared/zod-problems.ts'

/** Operations on reflexes. */
export interface ReflexesService extends ProductService<ReflexView> {
  /**
   * `job_id` is null if the tools are already known or the job could not be started. In the latter case, call
   * `refresh` to start the job later.
   */
  create(principal: Principal, fields: ProductFields, idempotency?: Idempotency): Promise<SavedReflex>
  patch(principal: Principal, idOrSlug: string, fields: ProductFields, expectedVersion?: number): Promise<SavedReflex>
  /** Lists the source's tools again. Throws ValidationError if the reflex has no source whose tools can be listed. */
  refresh(
    principal: Principal,
    idOrSlug: string,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}

interface Deps {
  resources: ResourcesService
  jobStarter: JobStarter
  secrets: Pick<SecretSource, 'findMissing'>
}

const KIND = 'reflexes'

/** Creates the reflexes service, including the job that lists the tools from their sources. */
export function createReflexes({ resources, jobStarter, secrets }: Deps): ReflexesService {
  const product = createProduct(resources, KIND, presentReflex)

  const startDiscovery = (principal: Principal, reflex: ReflexView, idempotency?: Idempotency): Promise<JobAccepted> =>
    jobStarter.start(inBrain(principal, reflex.brain_id), idempotency, async (_, claimJob) => {
      const { job, requester } = await claimJob('discover')
      return acceptJob(buildDiscoverJob(requester, reflex, job))
    })

  /** Returns the job's id, or null if Temporal is unavailable. In either case, the reflex stays saved. */
  async function tryDiscovery(
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

  async function withWarnings(principal: Principal, reflex: ReflexView): Promise<ReflexView> {
    const missing = await secrets.findMissing(principal, Object.values(reflex.secrets))
    const warnings = missingSecrets(reflex.secrets, missing)
    return warnings.length > 0 ? { ...reflex, warnings } : reflex
  }

  const toSaved = async (principal: Principal, reflex: ReflexView, job_id: string | null): Promise<SavedReflex> => ({
    ...(await withWarnings(principal, reflex)),
    job_id,
  })

  return {
    ...product,

    async create(principal, fields, idempotency) {
      const reflex = await product.create(principal, fields, idempotency)
      const isOpen = isListedElsewhere(reflex) && reflex.tools.length === 0
      const job_id = isOpen ? await tryDiscovery(principal, reflex, deriveDiscoveryKey(idempotency)) : null
      return toSaved(principal, reflex, job_id)
    },

    async patch(principal, idOrSlug, { note, ...fields }, expected_version) {
      const { head, document } = splitChange(fields)
      let before: ReflexDocument | undefined
      const edit = resources.edit(
        principal,
        KIND,
        idOrSlug,
        now => {
          before = now.document as ReflexDocument
          return { ...now, ...head, document: { ...before, ...document } }
        },
        { expected_version, note },
      )
      const reflex = presentReflex(await edit.catch(rethrowFlattened))
      const hasMoved = reflex.url !== before?.url && !('openapi' in document) && !('tools' in document)
      const job_id = hasMoved && isListedElsewhere(reflex) ? await tryDiscovery(principal, reflex) : null
      return toSaved(principal, reflex, job_id)
    },

    restore: async (principal, idOrSlug, options) =>
      withWarnings(principal, await product.restore(principal, idOrSlug, options)),

    async refresh(principal, idOrSlug, idempotency) {
      const reflex = await product.read(principal, idOrSlug)
      checkWritable(principal, reflex.brain_id)
      if (!isListedElsewhere(reflex)) throw new ValidationError('This reflex has no source that can list tools')
      return startDiscovery(principal, reflex, idempotency)
    },
  }
}

const isListedElsewhere = ({ source, url }: ReflexView): boolean =>
  (source === 'openapi' || source === 'mcp') && url !== undefined

/** Derives a separate key for the job, because the request that created the reflex has already used its key. */
const deriveDiscoveryKey = (idempotency: Idempotency | undefined): Idempotency | undefined =>
  idempotency && { ...idempotency, key: `discover:${idempotency.key}` }

function presentReflex({ document, ...head }: ResourceView): ReflexView {
  return { ...head, type: KIND, ...(document as ReflexDocument) }
}

function buildDiscoverJob(requester: string, { id, slug, title }: ReflexView, job: JobRef): JobStart {
  const run: DiscoverRunInput = { job, reflex: { id, slug, title }, requester }
  const details = `Lists the tools of **${slug}**, requested by ${requester}. Job \`${job.job_id}\`.`
  return {
    job,
    kind: 'discover',
    title: cleanTitle(`Tools of ${title}`),
    requester,
    input: { reflex_id: id, slug },
    workflow: { type: DISCOVER_WORKFLOW, args: [run], details },
  }
}

/** Warns, by header, about missing secrets that a reflex references. */
const missingSecrets = (named: Record<string, string>, missing: ReadonlySet<string>): Problem[] =>
  Object.entries(named).flatMap(([header, name]) => (missing.has(name) ? [createWarning(header, name)] : []))

const createWarning = (header: string, name: string): Problem => ({
  pointer: toPointer(['secrets', header]),
  message: `there is no secret "${name}" for this workspace: calls fail until it is created`,
})
