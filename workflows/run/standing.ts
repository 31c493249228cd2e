import type { NodeError } from '../../domain/jobs.ts'
import { plain } from '../markdown.ts'

/** How a job of one step stands; once it is done, what it gave. */
export type Standing<Result> = 'running' | 'cancelled' | NodeError | Result

type Row = [name: string, value: string]

interface Shown<Result> {
  /** What the job is about, and what is known of it. */
  about: string
  rows: Row[]
  standing: Standing<Result>
  gave: (result: Result) => Row
}

/** A job as Markdown for the Temporal UI: how it stands, what it is about, and what became of it. */
export function standingTable<Result extends object>({ about, rows, standing, gave }: Shown<Result>): string {
  const [word, ...outcome] = told(standing, gave)
  const lines = [...rows, ...outcome].map(([name, value]) => `| ${name} | ${value} |`)
  return [`**${word}**`, '', `| ${about} | |`, '|---|---|', ...lines].join('\n')
}

function told<Result extends object>(standing: Standing<Result>, gave: Shown<Result>['gave']): [string, ...Row[]] {
  if (typeof standing === 'string') return [standing]
  if (isError(standing)) return ['failed', ['why', `${plain(standing.code)}: ${plain(standing.message)}`]]
  return ['completed', gave(standing)]
}

const isError = (standing: object): standing is NodeError => 'code' in standing
