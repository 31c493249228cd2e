import type { NodeError } from '../../../domain/runs/nodes.ts'
import { escapeMarkdown } from '../markdown.ts'

/** State of a single-step job, or its result once completed. */
export type JobOutcome<Result> = 'running' | 'cancelled' | NodeError | Result

type Row = [name: string, value: string]

interface JobDetails<Result> {
  /** The type of object that the rows describe. */
  subject: string
  rows: Row[]
  outcome: JobOutcome<Result>
  resultRow: (result: Result) => Row
}

/** Renders a job as Markdown for the Temporal UI. */
export function renderJobDetails<Result extends object>({
  subject,
  rows,
  outcome,
  resultRow,
}: JobDetails<Result>): string {
  const [word, ...outcomeRows] = renderOutcome(outcome, resultRow)
  const lines = [...outcomeRows, ...rows].map(([name, value]) => `| ${name} | ${value} |`)
  return [`**${word}**`, '', `| ${subject} | |`, '|---|---|', ...lines].join('\n')
}

function renderOutcome<Result extends object>(
  outcome: JobOutcome<Result>,
  resultRow: JobDetails<Result>['resultRow'],
): [string, ...Row[]] {
  if (typeof outcome === 'string') return [outcome]
  if (isError(outcome))
    return ['failed', ['why', `${escapeMarkdown(outcome.code)}: ${escapeMarkdown(outcome.message)}`]]
  return ['completed', resultRow(outcome)]
}

const isError = (outcome: object): outcome is NodeError => 'code' in outcome
