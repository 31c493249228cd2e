import type { Body, Schema } from '@ganglion/client'
import { option } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { deriveOptions } from '../shared/operation.ts'
import { FILTERS, noChildRuns, since, until } from './filters.ts'
import { describeAskedAgain } from './forks.ts'

/** Options of `jobs bulk` that are not filters. */
export interface BulkOptions extends Record<string, unknown> {
  failed?: boolean
  childRuns?: boolean
  toVersion?: string
  perSecond?: string
  reason?: string
  everything?: boolean
  dryRun?: boolean
}

type Bulk = Body<'jobs.bulk'>
type Preview = Schema<'BulkPreview'>

const filters = () =>
  deriveOptions('jobs.list', {
    ...FILTERS,
    kind: option('--kind <kind>', 'only runs of this kind'),
    receptor_id: '--receptor <id>',
    trigger_id: '--trigger <id>',
    trace_id: option('--thread <id>', 'only runs of this thread'),
    error_code: '--error-code <code>',
    requester: '--requester <name>',
    title: '--title <text>',
    text: '--text <text>',
    created_after: since,
    created_before: until,
  })

export const bulkOptions = () => [
  ...filters().options,
  option('--failed', 'same as --status failed'),
  noChildRuns,
  option('--to-version <number>', 'for migrate: pathway version to move to'),
  option('--per-second <number>', 'maximum runs per second; default: 10'),
  option('--reason <text>', 'reason, shown with the job and recorded in the audit log'),
  option('--everything', 'confirm a filter that matches every run'),
  option('--dry-run', 'preview the operation without changing anything'),
]

/** Builds the request body from the command's options. */
export async function readBulk(operation: string, options: BulkOptions): Promise<Bulk> {
  const { perSecond, toVersion, reason, everything, failed, childRuns } = options
  const filter = {
    ...(await filters().read(options)),
    ...(failed && { status: ['failed'] }),
    ...(childRuns === false && { child_runs: false }),
  }
  if (perSecond !== undefined && !(Number(perSecond) > 0)) throw usageError('--per-second must be greater than 0')
  return {
    operation: operation as Bulk['operation'],
    filter: filter as Bulk['filter'],
    ...(toVersion !== undefined && { options: { to_version: Number(toVersion) } }),
    ...(perSecond !== undefined && { per_second: Number(perSecond) }),
    ...(reason !== undefined && { reason }),
    ...(everything && { confirm: true }),
  }
}

/** Describes the preview of a bulk job as text. */
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
