import { randomBytes } from 'node:crypto'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { createJobStarter } from '../../../services/runs/start/job-starter.ts'
import { openTemporal, type Temporal } from '../../../services/shared/temporal.ts'
import { createTriggerFiring } from '../../../services/triggers/fire.ts'
import { createBuildTargetRun } from '../../../services/triggers/targets.ts'
import { buildPlans } from '../../support/access/plans.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'

let database: TestDatabase
/** Temporal without a worker, so that runs stay pending. */
let temporal: Temporal

beforeAll(async () => {
  database = await createTestDatabase()
  temporal = openTemporal(readConfig({ ...readEnvironment(), TEMPORAL_TASK_QUEUE: randomBytes(6).toString('hex') }))
})
afterAll(() => Promise.all([database.drop(), temporal.close()]))

test('a trigger that another person saves while it fires acts for that person', async () => {
  const { db } = database
  const { resources, pathways } = createSpine(db)
  const ann = await createPrincipal(db)
  const definition = { schema: 'pathway/1', nodes: [{ id: 'done', type: 'end' }], edges: [] }
  await pathways.create(ann, { title: 'Done', slug: 'done', definition })
  const document = { trigger_type: 'manual', target: { type: 'pathway', ref: 'done' } }
  const { id } = await resources.create(ann, 'triggers', { title: 'Fires', document })
  const bob: Principal = {
    ...ann,
    actor: 'user:bob',
    person: 'user:bob',
    people: ['user:bob'],
    permissions: new Set(['jobs:start', 'resources:write'] as const),
  }

  const plans = buildPlans(db)
  const saves = [() => resources.edit(bob, 'triggers', id, before => ({ ...before, title: 'Fires again' }), {})]
  const { fire } = createTriggerFiring({
    db,
    evaluator,
    jobStarter: createJobStarter({
      db,
      temporal,
      publisher: { publish: () => undefined },
      idempotencyKeys: createIdempotencyKeys({ hours: 24 }),
      plans,
    }),
    // Called between reading the trigger's principal and deciding.
    plans: { checkWrite: async () => void (await saves.pop()?.()) },
    buildTargetRun: createBuildTargetRun(evaluator),
  })
  const { job_id, ...firing } = await fire({
    workspaceId: ann.workspace_id,
    triggerId: id,
    event: { input: {} },
    dedupeKey: 'once',
  })
  expect(firing).toMatchObject({ decision: 'fired', reason: null, trigger_version: 2 })
  const job = await db.inWorkspace(ann.workspace_id, tx => findJob(tx, job_id ?? ''))
  expect(job).toMatchObject({
    people: expect.not.arrayContaining(['user:ann']),
    rights: ['resources:write', 'jobs:start'],
  })
  expect(job?.people).toContain('user:bob')
})
