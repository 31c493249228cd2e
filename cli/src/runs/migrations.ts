import type { Body, Data, Ganglion } from '@ganglion/client'
import { option, repeated, required } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { deriveOptions } from '../shared/operation.ts'
import { noChildRuns, since, until } from './filters.ts'
import { describeAskedAgain } from './forks.ts'

/** Options of `jobs migrate` that are not filters. */
export interface MigrateOptions extends Record<string, unknown> {
  from: string
  to: string
  job?: string[]
  childRuns?: boolean
  everything?: boolean
  dryRun?: boolean
}

type Migrate = Body<'jobs.migrate'>
type Report = Data<'jobs.migrate'>

const filters = () =>
  deriveOptions('jobs.list', {
    status: option('--status <status>', 'waiting, paused, running or pending; separate several with commas'),
    requester: '--requester <name>',
    title: '--title <text>',
    created_after: since,
    created_before: until,
  })

export const migrateOptions = () => [
  required('--from <version>', 'current version of the runs'),
  required('--to <version>', 'target version'),
  repeated('--job <id>', 'move only this run; repeatable'),
  ...filters().options,
  noChildRuns,
  option('--everything', 'confirm a filter that matches every run'),
  option('--dry-run', 'show which runs can move, without moving them'),
]

/** Builds the request body from the command's options. */
export async function readMigration(pathway: string, options: MigrateOptions): Promise<Migrate> {
  const filter = {
    job_ids: options.job,
    ...(await filters().read(options)),
    ...(options.childRuns === false && { child_runs: false }),
  }
  return {
    pathway,
    from_version: readVersion('--from', options.from),
    to_version: readVersion('--to', options.to),
    filter,
    ...(options.everything && { confirm: true }),
  }
}

function readVersion(name: string, text: string): number {
  const version = Number(text)
  if (Number.isInteger(version) && version > 0) return version
  throw usageError(`${name} must be a version number`)
}

/** Sends the request page by page, and returns the runs from all pages. */
export async function migrateAll(client: Ganglion, body: Migrate): Promise<Report> {
  let report = await client.jobs.migrate(body)
  const runs = [...report.runs]
  for (let after: string | undefined; report.next !== undefined && report.next !== after;) {
    after = report.next
    report = await client.jobs.migrate({ ...body, after })
    runs.push(...report.runs)
  }
  const { next: _next, ...last } = report
  const count = (outcome: Report['runs'][number]['outcome']) => runs.filter(run => run.outcome === outcome).length
  const counts = {
    can_move: count('can_move'),
    moved: count('moved'),
    cannot_move: count('cannot_move'),
    unanswered: count('unanswered'),
  }
  return { ...last, matched: runs.length, counts, runs }
}

/** Describes the outcome for each run, or a preview of the outcomes. */
export const describeMigration = ({ runs }: Report): string =>
  runs
    .flatMap(({ job_id, outcome, problems = [], asked_again = [] }) => [
      `${outcome.replace('_', ' ')}\t${job_id}`,
      ...describeAskedAgain(asked_again).map(line => `  ${line}`),
      ...problems.map(({ pointer, message }) => `  ${pointer || '/'}\t${message}`),
    ])
    .join('\n')
