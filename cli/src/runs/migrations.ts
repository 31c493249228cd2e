import type { Body, Data, Ganglion } from '@ganglion/client'
import { option, repeated, required, toList } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { describeAskedAgain } from './forks.ts'

/** Options of `jobs migrate`. */
export interface MigrateOptions {
  from: string
  to: string
  job?: string[]
  status?: string
  requester?: string
  title?: string
  since?: string
  until?: string
  childRuns?: boolean
  everything?: boolean
  dryRun?: boolean
}

export const migrateOptions = () => [
  required('--from <version>', 'the version that the runs follow'),
  required('--to <version>', 'the version that they move to'),
  repeated('--job <id>', 'only this run; repeatable'),
  option('--status <status>', 'waiting, paused, running or pending; several with commas'),
  option('--requester <name>', 'started by, such as user:ann'),
  option('--title <text>', 'with this text in the title'),
  option('--since <time>', 'started after this time, as ISO 8601'),
  option('--until <time>', 'started before this time, as ISO 8601'),
  option('--no-child-runs', 'without runs that other runs have started'),
  option('--everything', 'needed where the filter leaves out no run'),
  option('--dry-run', 'show which runs can move, and move none'),
]

type Migrate = Body<'jobs.migrate'>
type Report = Data<'jobs.migrate'>

/** The body of the request for the options. */
export function readMigration(pathway: string, options: MigrateOptions): Migrate {
  const filter = {
    job_ids: options.job?.length ? options.job : undefined,
    status: toList(options.status),
    requester: options.requester,
    title: options.title,
    created_after: options.since,
    created_before: options.until,
    child_runs: options.childRuns === false ? false : undefined,
  }
  return {
    pathway,
    from_version: readVersion('--from', options.from),
    to_version: readVersion('--to', options.to),
    filter: filter as Migrate['filter'],
    ...(options.everything && { confirm: true }),
  }
}

function readVersion(name: string, text: string): number {
  const version = Number(text)
  if (Number.isInteger(version) && version > 0) return version
  throw usageError(`${name} must be the number of a version`)
}

/** Sends the request page by page, and returns the runs of all of them. */
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

/** What became of each run, or would. */
export const describeMigration = ({ runs }: Report): string =>
  runs
    .flatMap(({ job_id, outcome, problems = [], asked_again = [] }) => [
      `${outcome.replace('_', ' ')}\t${job_id}`,
      ...describeAskedAgain(asked_again).map(line => `  ${line}`),
      ...problems.map(({ pointer, message }) => `  ${pointer || '/'}\t${message}`),
    ])
    .join('\n')
