import { randomBytes, randomUUID } from 'node:crypto'
import { defaultPayloadConverter } from '@temporalio/common'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { createJobStarter } from '../../../services/runs/start/job-starter.ts'
import { createStartPathway } from '../../../services/runs/start/start-pathway.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import type { PathwayRunInput } from '../../../workflows/pathways/messages.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { pathway } from '../../support/runs/runs.ts'
import { buildPlans } from '../../support/access/plans.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'

const config = readConfig({ ...readEnvironment(), TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}` })

let database: TestDatabase
/** Temporal without a worker, and a Temporal that does not respond. */
let temporal: Temporal
let away: Temporal
let owner: Principal & { first_brain: string }

beforeAll(async () => {
  database = await createTestDatabase()
  temporal = openTemporal(config)
  away = openTemporal({ ...config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
  owner = await createPrincipal(database.db)
})
afterAll(() => Promise.all([database.drop(), temporal.close(), away.close()]))

function startOn(there: Temporal) {
  const { db } = database
  const idempotencyKeys = createIdempotencyKeys({ hours: 24 })
  const publisher = { publish: () => undefined }
  return createStartPathway({
    jobStarter: createJobStarter({ db, temporal: there, publisher, idempotencyKeys, plans: buildPlans(db) }),
    evaluator,
  })
}

async function readRunInput(jobId: string): Promise<PathwayRunInput> {
  const { events } = await temporal.handle(jobId).fetchHistory()
  const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  if (!payload) throw new Error(`${jobId} has no input`)
  return defaultPayloadConverter.fromPayload(payload)
}

test('a run whose first request failed without Temporal is started on behalf of its first caller, at the pinned version', async () => {
  const { resources } = createSpine(database.db)
  const say = (value: string) => ({ definition: pathway([{ id: 'say', type: 'transform', with: { value } }]) })
  const { id } = await resources.create(owner, 'pathways', { title: 'Say', document: say('one') })
  const first: Principal = { ...owner, actor: 'key:robot', person: 'user:bo', people: ['user:bo', 'key:robot'] }
  const other: Principal = { ...first, actor: 'key:other', person: 'user:cy', brain_ids: [owner.first_brain] }
  const key = { key: randomUUID(), route: 'POST /v1/jobs', body_hash: 'a' }

  await expect(startOn(away)(first, { pathway_id: id }, key)).rejects.toBeInstanceOf(Unavailable)
  await resources.edit(owner, 'pathways', id, before => ({ ...before, document: say('two') }), {})
  const { job_id } = await startOn(temporal)(other, { pathway_id: id }, key)

  const { job, requester, pathway: pinned, definition } = await readRunInput(job_id)
  expect({ requester, version: pinned.version, definition }).toEqual({
    requester: 'key:robot',
    version: 1,
    ...say('one'),
  })
  expect(job).toMatchObject({ people: ['user:bo', 'key:robot'], brain_id: owner.first_brain })
  expect(job.brain_ids).toBeUndefined()
  await temporal.handle(job_id).terminate('test')
})
