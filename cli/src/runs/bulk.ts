import type { Body, Schema } from '@ganglion/client'
import { option, toList } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { describeAskedAgain } from './forks.ts'

/** Options of `jobs bulk`. */
export interface BulkOptions {
  status?: string
  outcome?: string
  failed?: boolean
  kind?: string
  pathway?: string
  neuron?: string
  receptor?: string
  trigger?: string
  thread?: string
  errorCode?: string
  requester?: string
  title?: string
  text?: string
  childRuns?: boolean
  since?: string
  until?: string
  toVersion?: string
  perSecond?: string
  reason?: string
  everything?: boolean
  dryRun?: boolean
}

export const bulkOptions = () => [
  option('--status <status>', 'pending, running, waiting, paused, completed or failed; several with commas'),
  option('--outcome <outcome>', 'open, completed, failed or cancelled; several with commas'),
  option('--failed', 'the same as --status failed'),
  option('--kind <kind>', 'such as pathway, neuron or ingest'),
  option('--pathway <id>', 'runs of this pathway'),
  option('--neuron <id>', 'runs of this neuron'),
  option('--receptor <id>', 'runs of this receptor'),
  option('--trigger <id>', 'runs of this trigger'),
  option('--thread <id>', 'runs of this thread'),
  option('--error-code <code>', 'failed with this code, such as HTTP_503'),
  option('--requester <name>', 'started by, such as user:ann'),
  option('--title <text>', 'with this text in the title'),
  option('--text <text>', 'with this text in the title or the input'),
  option('--no-child-runs', 'without runs that other runs have started'),
  option('--since <time>', 'started after this time, as ISO 8601'),
  option('--until <time>', 'started before this time, as ISO 8601'),
  option('--to-version <number>', 'for migrate: the version of their pathway to which the runs move'),
  option('--per-second <number>', 'runs a second, at most; 10 if absent'),
  option('--reason <text>', 'why; it is shown with the job, and in the audit log with each run'),
  option('--everything', 'needed where the filter leaves out no run'),
  option('--dry-run', 'show what it would do, and change nothing'),
]

type Bulk = Body<'jobs.bulk'>
type Preview = Schema<'BulkPreview'>

/** The body of the request for the options. */
export function readBulk(operation: string, options: BulkOptions): Bulk {
  const { perSecond, toVersion, reason, everything, failed, childRuns } = options
  const filter = {
    status: toList(failed ? 'failed' : options.status),
    outcome: toList(options.outcome),
    kind: options.kind,
    pathway_id: options.pathway,
    neuron_id: options.neuron,
    receptor_id: options.receptor,
    trigger_id: options.trigger,
    trace_id: options.thread,
    error_code: options.errorCode,
    requester: options.requester,
    title: options.title,
    text: options.text,
    child_runs: childRuns === false ? false : undefined,
    created_after: options.since,
    created_before: options.until,
  }
  if (perSecond !== undefined && !(Number(perSecond) > 0)) throw usageError('--per-second must be a number above 0')
  return {
    operation: operation as Bulk['operation'],
    filter: filter as Bulk['filter'],
    ...(toVersion !== undefined && { options: { to_version: Number(toVersion) } }),
    ...(perSecond !== undefined && { per_second: Number(perSecond) }),
    ...(reason !== undefined && { reason }),
    ...(everything && { confirm: true }),
  }
}

/** What a bulk job would do. */
export function describePreview({ operation, matched, applies, reasons, sample }: Preview): string {
  return [
    `${operation} applies to ${applies} of ${matched} runs`,
    ...reasons.map(({ message, count }) => `  ${count}\t${message}`),
    ...sample.flatMap(({ job_id, status, title, message, asked_again = [] }) => [
      `${job_id}\t${status}\t${title}${message ? `\t${message}` : ''}`,
      ...describeAskedAgain(asked_again).map(line => `  ${line}`),
    ]),
  ].join('\n')
}
