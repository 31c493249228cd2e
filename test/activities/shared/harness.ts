import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { pino } from 'pino'
import { createProjectionWriter } from '../../../activities/runs/projection-writer.ts'
import { readConfig } from '../../../config/config.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { insertBrain, insertWorkspace } from '../../../data/access/access-store.ts'
import { listNodes } from '../../../data/runs/job-nodes-store.ts'
import { findJob, insertJob } from '../../../data/runs/jobs-store.ts'
import { RIGHTS } from '../../../domain/access/rights.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections } from '../../../services/runs/projections.ts'
import { createJobPublisher } from '../../../streams/job-publisher.ts'
import { streamKey } from '../../../streams/stream-entries.ts'
import { closeRedis, openCommands } from '../../../streams/redis.ts'
import { createTestDatabase } from '../../support/stack/database.ts'

/** Starts Postgres and Redis as a worker would, with a workspace and its jobs. */
export async function startHarness() {
  const database = await createTestDatabase()
  const { db } = database
  const env = readEnvironment() as Record<string, string>
  const config = readConfig({
    ...env,
    DATABASE_URL: database.url,
    TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}`,
  })
  const log = pino({ level: 'silent' })
  const redis = openCommands(config.REDIS_URL, log)
  await once(redis, 'ready')
  const publisher = createJobPublisher(redis, { maxLength: 10_000, ttlSeconds: 60, log })
  const workspace_id = randomUUID()
  const slug = `w-${randomBytes(5).toString('hex')}`
  const default_brain_id = randomUUID()
  await db.inWorkspace(workspace_id, async tx => {
    await insertWorkspace(tx, { id: workspace_id, slug, name: slug, default_brain_id })
    await insertBrain(tx, { id: default_brain_id, name: 'default' })
  })

  const projections = createProjections({ db, signer: createSigner({}) })

  return {
    database,
    db,
    env,
    config,
    log,
    redis,
    publisher,
    projections,
    writer: createProjectionWriter({ projections, log }),

    /** Creates a job with its row, as if the job had just been accepted. */
    async job(): Promise<JobRef> {
      const job_id = `test-${randomUUID()}`
      const none = { brain_id: null, parent_key: null, pathway_id: null, pathway_version: null, input: null }
      const row = {
        ...none,
        job_id,
        root_job_id: job_id,
        title: 'Test',
        requester: 'user:ann',
        people: ['user:ann'],
        rights: [],
      }
      await db.inWorkspace(workspace_id, tx => insertJob(tx, row))
      return { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [...RIGHTS] }
    },
    record: ({ job_id }: JobRef) => db.inWorkspace(workspace_id, tx => findJob(tx, job_id)),
    nodes: ({ job_id }: JobRef) => db.inWorkspace(workspace_id, tx => listNodes(tx, job_id)),
    /** Returns the events in the job's stream. */
    async events({ job_id }: JobRef): Promise<JobEvent[]> {
      const entries = await redis.xrange(streamKey(job_id), '-', '+')
      return entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as JobEvent)
    },
    async close() {
      await closeRedis(redis)
      await database.drop()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof startHarness>>
