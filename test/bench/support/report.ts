import { type Figures, computeFigures } from './figures.ts'
import type { Aim, Row } from './item.ts'
import type { Machine } from './machine.ts'

/** The results of a benchmark run. */
export interface Report {
  machine: Machine
  rows: Row[]
  /** Items that could not be measured, with the reason. */
  failures: { item: string; reason: string }[]
}

const HEAD = ['', 'unit', 'ours', 'p95', 'p99', 'bare', 'p95', 'p99', 'ours/bare', 'aim', '']

/** Renders a readable table with medians and tail latencies of both sides. */
export function renderTable({ machine, rows, failures }: Report): string {
  const { cores, cpu, memory_gb, system, node, load } = machine
  const facts = `${cores} cores (${cpu}), ${memory_gb} GB, ${system}, node ${node}, load ${load}`
  const lines = aligned([HEAD, ...rows.map(renderLine)])
  return [facts, '', ...lines, ...failures.map(({ item, reason }) => `FAILED  ${item}: ${reason}`)].join('\n')
}

/** Renders all samples, along with the derived figures. */
export function renderJson({ machine, rows, failures }: Report): string {
  const measured = rows.map(row => ({ ...row, ...judged(row) }))
  return JSON.stringify({ machine, rows: measured, failures })
}

function judged({ samples, aim }: Row) {
  const ours = computeFigures(samples.ours)
  const bare = computeFigures(samples.bare)
  const ratio = ours.median / bare.median
  const met = aim && isMet(aim, aim.of === 'ratio' ? ratio : ours[aim.of])
  return { ours, bare, ratio, met }
}

function renderLine(row: Row): string[] {
  const { ours, bare, ratio, met } = judged(row)
  const verdict = met === undefined ? '' : met ? 'met' : 'missed'
  const isTime = row.unit === 'ms'
  const numbers = ({ median, p95, p99 }: Figures) => [shown(median), isTime ? shown(p95) : '', isTime ? shown(p99) : '']
  return [row.name, row.unit, ...numbers(ours), ...numbers(bare), ratio.toFixed(2), aimText(row.aim), verdict]
}

const isMet = (aim: Aim, value: number) => ('atMost' in aim ? value <= aim.atMost : value >= aim.atLeast)

function aimText(aim: Aim | undefined): string {
  if (!aim) return ''
  return 'atMost' in aim ? `${aim.of} ≤ ${aim.atMost}` : `${aim.of} ≥ ${aim.atLeast}`
}

const shown = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1))

/** Aligns text to the left and numbers to the right. */
function aligned(table: string[][]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...table.map(line => line[column]?.length ?? 0)))
  const isText = (column: number) => column < 2 || column > 8
  return table.map(line =>
    line
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
