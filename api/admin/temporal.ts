import { type Command, InvalidArgumentError } from 'commander'
import { readTemporalConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { openTemporal } from '../../services/shared/temporal.ts'
import { setUpTemporal, type TemporalSetup } from '../../services/shared/temporal-setup.ts'
import { type Output, say } from './output.ts'

const DEFAULT_RETENTION_DAYS = 30

/** Adds the commands for the Temporal server. They read only the Temporal settings. */
export function addTemporal(program: Command): void {
  program
    .command('temporal')
    .description('The Temporal namespace')
    .command('setup')
    .description('Create the namespace and the search attributes if they are missing, and check the server')
    .option(
      '--retention <days>',
      `how long a new namespace keeps closed runs, such as 30d; default: ${DEFAULT_RETENTION_DAYS}d`,
      parseDays,
      DEFAULT_RETENTION_DAYS,
    )
    .option('--json', 'print one JSON line')
    .action(async ({ retention: retentionDays, json }: { retention: number } & Output) => {
      const temporal = openTemporal(readTemporalConfig(readEnvironment()))
      try {
        const setup = await setUpTemporal(temporal, { retentionDays })
        say(json, setup, describeSetup(setup))
      } catch (error) {
        throw error instanceof Unavailable && error.message === new Unavailable().message
          ? new Unavailable('Temporal at TEMPORAL_ADDRESS does not respond')
          : error
      } finally {
        await temporal.close()
      }
    })
}

function parseDays(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days === undefined || Number(days) < 1) throw new InvalidArgumentError('Enter a number of days, such as 30d.')
  return Number(days)
}

function describeSetup(setup: TemporalSetup): string {
  const { namespace, created, retention_days: days, search_attributes: attributes } = setup
  return [
    `Namespace ${namespace} ${created ? 'is created' : 'exists'} and keeps closed runs for ${days} days.`,
    attributes.length > 0 ? `Registered search attributes: ${attributes.join(', ')}.` : 'All search attributes exist.',
    `The server has version ${setup.server_version}.`,
    ...setup.warnings.map(warning => `Warning: ${warning}`),
  ].join('\n')
}
