import type { Database } from '../../data/shared/database.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { IdempotencyKeys } from '../shared/idempotency.ts'
import type { Temporal } from '../shared/temporal.ts'
import { createDiagnosis } from './diagnosis/diagnosis.ts'
import { createForks } from './forks/forks.ts'
import { createInterventionAnswers } from '../people/intervention-answers.ts'
import { createJobCommands } from './job-commands.ts'
import type { JobStarter } from './start/job-starter.ts'
import { createJobQueries } from './job-queries.ts'
import { createStartPathway } from './start/start-pathway.ts'
import { createMigrations } from './migrations/migrations.ts'
import { createSnapshots } from './snapshot.ts'
import { createCountStuck } from './status/stuck-runs.ts'
import type { JobsService } from './types.ts'

interface Deps {
  db: Database
  temporal: Temporal
  jobStarter: JobStarter
  idempotencyKeys: IdempotencyKeys
  evaluator: Evaluator
}

/** The use cases of jobs. */
export function createJobs({ db, temporal, jobStarter, idempotencyKeys, evaluator }: Deps): JobsService {
  return {
    start: createStartPathway({ jobStarter, evaluator }),
    answer: createInterventionAnswers({ db, temporal, idempotencyKeys, evaluator }),
    countStuck: createCountStuck(temporal),
    ...createJobQueries({ db, temporal }),
    ...createJobCommands({ db, temporal, idempotencyKeys }),
    ...createDiagnosis({ db, temporal }),
    ...createForks({ db, temporal, jobStarter, evaluator, idempotencyKeys }),
    migrations: createMigrations({ db, temporal, evaluator }),
    ...createSnapshots({ db }),
  }
}
