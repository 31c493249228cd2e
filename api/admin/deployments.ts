import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { createDeployments, type Deployment, type Deployments } from '../../services/shared/deployments.ts'
import { openTemporal } from '../../services/shared/temporal.ts'
import { type Output, say } from './output.ts'

/** Adds the commands about the builds of workers. */
export function addDeployments(program: Command): void {
  const deployments = program
    .command('deployments')
    .description('Builds of workers: which takes new runs, and which still has open ones')
    .option('--json', 'print one JSON line')
    .action(({ json }: Output) =>
      withDeployments(async builds => {
        const deployment = await builds.read()
        say(json, deployment, describeDeployment(deployment))
      }),
    )

  deployments
    .command('promote')
    .description(
      'Make a build current: new runs begin with it, and open ones are carried on by it when they continue as new',
    )
    .argument('<build>', 'the WORKER_BUILD_ID of its workers')
    .option('--percent <percent>', 'only this share of new runs begins with it, 0 to 99', parseInteger(0, 99))
    .option('--wait <seconds>', 'how long to wait for a worker of it', parseInteger(0, 3_600), 30)
    .option('--json', 'print one JSON line')
    .action((build: string, options: { percent?: number; wait: number } & Output, command: Command) =>
      withDeployments(async builds => {
        const { percent, wait } = options
        await builds.promote(build, { percent, waitMs: wait * 1_000 })
        const subject = percent === undefined ? 'New runs begin' : `${percent} % of new runs begin`
        say(isJson(command), { build, percent: percent ?? null }, `${subject} with the build ${build}.`)
      }),
    )

  deployments
    .command('remove')
    .description('Delete a drained build whose workers have ended from the list')
    .argument('<build>', 'the WORKER_BUILD_ID that its workers had')
    .option('--json', 'print one JSON line')
    .action((build: string, _options: Output, command: Command) =>
      withDeployments(async builds => {
        await builds.remove(build)
        say(isJson(command), { build, removed: true }, `The build ${build} is no longer listed.`)
      }),
    )
}

/** The command above has the option too, and takes it wherever it stands. */
const isJson = (command: Command): boolean => command.optsWithGlobals<Output>().json === true

async function withDeployments(work: (deployments: Deployments) => Promise<void>): Promise<void> {
  const config = readConfig(readEnvironment())
  const temporal = openTemporal(config)
  try {
    await work(createDeployments({ temporal }))
  } catch (error) {
    throw error instanceof Unavailable ? new Unavailable('Temporal at TEMPORAL_ADDRESS does not answer') : error
  } finally {
    await temporal.close()
  }
}

const parseInteger = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be ${min} to ${max}.`)
  return value
}

function describeDeployment({ deployment, current, ramping, builds }: Deployment): string {
  const share = ramping ? `; ${ramping.percent} % with ${ramping.build}` : ''
  const start = `New runs of ${deployment} begin with ${current ?? 'workers without a build'}${share}.`
  if (builds.length === 0) return `${start}\nNo worker polls.`
  const rows = builds.map(({ build, state, since, open_runs, workers }) => [
    build ?? '(none)',
    state,
    since ?? '',
    String(open_runs),
    String(workers),
  ])
  return `${start}\n\n${renderTable([['build', 'state', 'since', 'open runs', 'workers'], ...rows])}`
}

function renderTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
