import type { Database } from '../../data/shared/database.ts'
import { recordMigration } from '../../services/runs/migrations/record-migration.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import type { MigrationActivities } from '../types.ts'

export interface MigrationDeps {
  db: Database
  publisher: Pick<JobPublisher, 'publishOnce'>
}

/**
 * Creates the activity that records run migrations. It throws Unavailable if Postgres is unavailable, so that
 * Temporal retries.
 */
export const createMigrationActivities = ({ db, publisher }: MigrationDeps): MigrationActivities => ({
  async recordMigration(input) {
    await recordMigration(db, input)
    const { job, id, from_version, to_version, by, at, is_undo } = input
    const undone = is_undo ? { undone: true as const } : {}
    const event = { type: 'migrated' as const, from_version, to_version, by: by.actor, at, ...undone }
    publisher.publishOnce(job.job_id, event, `${is_undo ? 'undo of migration' : 'migration'} ${id}`)
  },
})
