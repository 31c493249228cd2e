import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/database.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import type { Temporal } from '../temporal.ts'
import { createAnswer } from './answer.ts'
import { createControl } from './control.ts'
import { createReading } from './read.ts'
import { createStart } from './start.ts'
import { createStory } from './story.ts'
import type { JobsService } from './types.ts'

interface Deps {
  db: Database
  temporal: Temporal
  publisher: JobPublisher
  config: Pick<Config, 'IDEMPOTENCY_HOURS'>
}

/** The use cases of runs. */
export function createJobs({ db, temporal, publisher, config }: Deps): JobsService {
  const idempotencyHours = config.IDEMPOTENCY_HOURS
  return {
    start: createStart({ db, temporal, publisher, idempotencyHours }),
    answer: createAnswer({ db, temporal, idempotencyHours }),
    ...createReading({ db, temporal }),
    ...createControl({ db, temporal }),
    ...createStory({ db }),
  }
}
