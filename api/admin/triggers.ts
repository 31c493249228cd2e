import type { Command } from 'commander'
import { pino } from 'pino'
import { createPayloadCodec } from '../../services/shared/encryption/payload-codec.ts'
import { createDataConverter } from '../../services/shared/encryption/payloads.ts'
import { openTemporal, type Temporal } from '../../services/shared/temporal.ts'
import { createTriggerFollower, type TriggerFollower } from '../../services/triggers/follow-triggers.ts'
import { createTriggerSchedules } from '../../services/triggers/schedules/sync.ts'
import { say, type Output } from './output.ts'
import { type Stores, withStores } from './stores.ts'

const POOL = 5

/** Adds the trigger command. */
export function addTriggers(program: Command): void {
  const triggers = program.command('triggers').description('Triggers in all workspaces')
  triggers
    .command('repair')
    .description(
      'Rewrite the schedules of all triggers in Temporal, and delete the schedules of deleted triggers; idempotent',
    )
    .option('--json', 'print one JSON line')
    .action(({ json }: Output) =>
      withTemporal(async ({ follower }) => {
        const repaired = await follower.repair({ all: true })
        const { schedules, written: writtenCount, removed: removedCount } = repaired
        say(
          json,
          repaired,
          `${schedules} triggers have a schedule; ${writtenCount} schedules written, ${removedCount} deleted.`,
        )
      }),
    )
}

interface TemporalServices {
  db: Stores['db']
  temporal: Temporal
  follower: TriggerFollower
}

/** Opens Postgres and Temporal for one command, and closes them when the command ends. */
export const withTemporal = (work: (services: TemporalServices) => Promise<void>): Promise<void> =>
  withStores(POOL, async ({ db }, config) => {
    const temporal = openTemporal(config, {
      dataConverter: createDataConverter(db, config, createPayloadCodec(config)),
    })
    try {
      const schedules = createTriggerSchedules({ db, temporal })
      const follower = createTriggerFollower({ db, temporal, schedules, log: pino({ level: 'silent' }) })
      await work({ db, temporal, follower })
    } finally {
      await temporal.close()
    }
  })
