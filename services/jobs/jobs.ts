import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/database.ts'
import type { Temporal } from '../temporal.ts'
import { createAnswer } from './answer.ts'
import { createControl } from './control.ts'
import type { Launcher } from './launch.ts'
import { createReading } from './read.ts'
import { createStart } from './start.ts'
import { createStory } from './story.ts'
import { createCountStuck } from './stuck.ts'
import type { JobsService } from './types.ts'

interface Deps {
  db: Database
  temporal: Temporal
  launcher: Launcher
  config: Pick<Config, 'IDEMPOTENCY_HOURS'>
}

/** The use cases of jobs. */
export function createJobs({ db, temporal, launcher, config }: Deps): JobsService {
  const idempotencyHours = config.IDEMPOTENCY_HOURS
  return {
    start: createStart(launcher),
    answer: createAnswer({ db, temporal, idempotencyHours }),
    countStuck: createCountStuck(temporal),
    ...createReading({ db, temporal }),
    ...createControl({ db, temporal }),
    ...createStory({ db }),
  }
}
