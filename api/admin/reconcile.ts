import { type Command, InvalidArgumentError, Option } from 'commander'
import { reconcile } from '../../services/runs/reconcile/reconcile.ts'
import type { ReconcileReport } from '../../services/runs/reconcile/report.ts'
import { type Output, renderTable, say } from './output.ts'
import { withTemporal } from './triggers.ts'

interface Options extends Output {
  apply?: boolean
  terminate?: boolean
  lostSince?: number
}

/** Adds the command for comparing the databases after a restore. */
export function addReconcile(program: Command): void {
  program
    .command('reconcile')
    .description(
      'Compare Postgres with Temporal after a restore, and list calls that may have been executed without a recorded outcome',
    )
    .option('--apply', 'repair the differences that can be repaired safely')
    .option('--terminate', 'with --apply, also terminate runs whose job is missing, has ended or is outdated')
    .addOption(
      new Option(
        '--lost-since <time>',
        'time (ISO 8601) of the restored data; adds the effects that open runs may have had since then',
      ).argParser(parseTime),
    )
    .option('--json', 'print one JSON line')
    .action(({ json, ...options }: Options) =>
      withTemporal(async ({ db, temporal, follower }) => {
        const report = await reconcile({ db, temporal, follower }, options)
        say(json, report, describe(report))
        if (report.differences.some(({ repair }) => repair === 'none')) process.exitCode = 1
      }),
    )
}

function parseTime(text: string): number {
  const time = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time))
    throw new InvalidArgumentError('Enter a time such as 2026-01-31T14:05:00Z.')
  return time
}

function describe({ latest_entry, runs, schedules, differences, effects_in_doubt: effects }: ReconcileReport): string {
  const differenceRows = differences.map(({ kind, workspace, id, detail, repair }) => [
    kind,
    workspace ?? '-',
    id,
    detail ?? '-',
    repair === 'done' ? 'repaired' : '-',
  ])
  const doubtful = effects.map(({ workspace, job_id, key, type, target, idempotency_key, reason, sent_again }) => [
    workspace ?? '-',
    job_id ?? '-',
    key,
    type,
    target ?? '-',
    idempotency_key ?? '-',
    reason,
    sent_again,
  ])
  return [
    `Open runs: ${runs.in_postgres} in Postgres, ${runs.in_temporal} in Temporal, ${runs.agreeing} without differences.`,
    `Triggers with a schedule: ${schedules}. Latest audit entry: ${latest_entry ?? 'none'}.`,
    differenceRows.length === 0
      ? 'No differences.'
      : `Differences: ${differenceRows.length}\n\n${renderTable([['difference', 'workspace', 'id', 'detail', 'repair'], ...differenceRows])}\n`,
    doubtful.length === 0
      ? 'No effects in doubt.'
      : `Effects in doubt: ${doubtful.length}\n\n${renderTable([['workspace', 'run', 'node', 'type', 'target', 'idempotency key', 'reason', 'sent again'], ...doubtful])}`,
  ].join('\n')
}
