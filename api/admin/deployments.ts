import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import { createDeployments, type Deployment, type Deployments } from '../../services/shared/deployments.ts'
import { openTemporal } from '../../services/shared/temporal.ts'
import { type Output, renderTable, say } from './output.ts'

/** Adds the commands for worker builds. */
export function addDeployments(program: Command): void {
  const deployments = program
    .command('deployments')
    .description('Worker builds: the current build, and builds with open runs')
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
      'Make a build current; new runs start on the build, and open runs switch to it when they continue as new',
    )
    .argument('<build>', "WORKER_BUILD_ID of the build's workers")
    .option('--percent <percent>', 'start only this percentage of new runs on the build, 0 to 99', parseInteger(0, 99))
    .option('--wait <seconds>', 'seconds to wait for a worker with the build', parseInteger(0, 3_600), 30)
    .option('--json', 'print one JSON line')
    .action((build: string, options: { percent?: number; wait: number } & Output, command: Command) =>
      withDeployments(async builds => {
        const { percent, wait } = options
        await builds.promote(build, { percent, waitMs: wait * 1_000 })
        const subject = percent === undefined ? 'New runs start' : `${percent} % of new runs start`
        say(isJson(command), { build, percent: percent ?? null }, `${subject} on build ${build}.`)
      }),
    )

  deployments
    .command('remove')
    .description('Remove a drained build without workers from the list')
    .argument('<build>', "WORKER_BUILD_ID of the build's workers")
    .option('--json', 'print one JSON line')
    .action((build: string, _options: Output, command: Command) =>
      withDeployments(async builds => {
        await builds.remove(build)
        say(isJson(command), { build, removed: true }, `Build ${build} is removed from the list.`)
      }),
    )
}

/** The parent command has the same option, so `--json` works in any position. */
const isJson = (command: Command): boolean => command.optsWithGlobals<Output>().json === true

async function withDeployments(work: (deployments: Deployments) => Promise<void>): Promise<void> {
  const config = readConfig(readEnvironment())
  const temporal = openTemporal(config)
  try {
    await work(createDeployments({ temporal }))
  } catch (error) {
    throw error instanceof Unavailable ? new Unavailable('Temporal at TEMPORAL_ADDRESS does not respond') : error
  } finally {
    await temporal.close()
  }
}

const parseInteger = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`Enter a number from ${min} to ${max}.`)
  return value
}

function describeDeployment({ deployment, current, ramping, builds }: Deployment): string {
  const share = ramping ? `; ${ramping.percent} % on build ${ramping.build}` : ''
  const target = current ? `build ${current}` : 'workers without a build'
  const start = `New runs in ${deployment} start on ${target}${share}.`
  if (builds.length === 0) return `${start}\nNo workers are polling.`
  const rows = builds.map(({ build, state, since, open_runs, workers }) => [
    build ?? '(none)',
    state,
    since ?? '',
    String(open_runs),
    String(workers),
  ])
  return `${start}\n\n${renderTable([['build', 'state', 'since', 'open runs', 'workers'], ...rows])}`
}
