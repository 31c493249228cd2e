import { computeFigures } from '../support/figures.ts'
import type { Machine } from '../support/machine.ts'
import type { Row } from './item.ts'

/** The results of a benchmark run. */
export interface AgentsReport {
  machine: Machine
  rows: Row[]
  notes: string[]
  /** Items that could not be measured, with the reason. */
  failures: { item: string; reason: string }[]
}

const HEAD = ['what', 'unit', 'ours', 'p95', 'p99', 'bare', 'p95', 'p99', 'ours - bare', 'ours / bare']

/** Renders Markdown for `docs/benchmarks.md`, with medians and tail latencies. */
export function renderTable({ machine, rows, notes, failures }: AgentsReport): string {
  const { cores, cpu, memory_gb, system, node, load } = machine
  const facts = `${cores} cores (${cpu}), ${memory_gb} GB, ${system}, node ${node}, load ${load} at the start.`
  const table = aligned([HEAD, ...rows.map(renderLine)])
  const noteLines = notes.map(note => `- ${note}`)
  const failed = failures.map(({ item, reason }) => `FAILED  ${item}: ${reason}`)
  return [facts, '', ...table, '', ...noteLines, ...failed].join('\n')
}

function renderLine({ name, unit, ours, bare }: Row): string[] {
  const [a, b] = [computeFigures(ours), computeFigures(bare)]
  const tails = ({ p95, p99 }: typeof a) => (unit === 'ms' ? [shown(p95), shown(p99)] : ['', ''])
  const sides = [shown(a.median), ...tails(a), shown(b.median), ...tails(b)]
  return [name, unit, ...sides, shown(a.median - b.median), (a.median / b.median).toFixed(2)]
}

const shown = (value: number) => {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function aligned(table: string[][]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...table.map(line => line[column]?.length ?? 0)))
  const lines = table.map(line => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`
  return [lines[0] ?? '', rule, ...lines.slice(1)]
}
