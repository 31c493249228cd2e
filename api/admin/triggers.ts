import type { Command } from 'commander'
import { pino } from 'pino'
import { createPayloadCodec } from '../../services/shared/encryption/payload-codec.ts'
import { createDataConverter } from '../../services/shared/encryption/payloads.ts'
import { openTemporal } from '../../services/shared/temporal.ts'
import { createTriggerFollower, type TriggerFollower } from '../../services/triggers/follow-triggers.ts'
import { createTriggerSchedules } from '../../services/triggers/schedules/sync.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

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
      withTriggers(async follower => {
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

const withTriggers = (work: (follower: TriggerFollower) => Promise<void>): Promise<void> =>
  withStores(2, async ({ db }, config) => {
    const temporal = openTemporal(config, {
      dataConverter: createDataConverter(db, config, createPayloadCodec(config)),
    })
    try {
      const schedules = createTriggerSchedules({ db, temporal })
      await work(createTriggerFollower({ db, temporal, schedules, log: pino({ level: 'silent' }) }))
    } finally {
      await temporal.close()
    }
  })
