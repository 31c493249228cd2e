import type { Database } from '../../data/database.ts'
import { recordMigration } from '../../services/jobs/migrations/record-migration.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import type { MigrationActivities } from '../types.ts'

/** Creates the activity that records moves of runs. It throws Unavailable while Postgres is away, so that Temporal retries. */
export const createMigrationActivities = ({
  db,
  publisher,
}: {
  db: Database
  publisher: Pick<JobPublisher, 'publish'>
}): MigrationActivities => ({
  async recordMigration(input) {
    await recordMigration(db, input)
    const { job, from_version, to_version, by, at, is_undo } = input
    const undone = is_undo ? { undone: true as const } : {}
    publisher.publish(job.job_id, { type: 'migrated', from_version, to_version, by: by.actor, at, ...undone })
  },
})
