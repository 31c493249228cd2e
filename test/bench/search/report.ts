import type { SearchMode } from '../../../search/query/search-query.ts'
import { computeFigures } from '../support/figures.ts'
import type { Machine } from '../support/machine.ts'
import type { FreshnessRow } from './freshness.ts'
import type { IngestRow } from './ingest.ts'
import type { LatencyRow } from './latency.ts'
import { MODES } from './place.ts'
import type { QualityOfModes, QualityRow } from './quality.ts'

/** The results of a benchmark run. Items that were not measured are omitted. */
export interface SearchReport {
  machine: Machine
  quality?: QualityRow[]
  latency?: LatencyRow[]
  ingest?: IngestRow
  freshness?: FreshnessRow
  /** Items that could not be measured, with the reason. */
  failures: { item: string; reason: string }[]
}

/** The maximum loss of nDCG@10 caused by other documents. */
const MAX_LOSS = 0.01
/** The maximum ratio of medians between hybrid search and the slower of the other two. */
const MAX_RATIO = 1.2
/** The maximum time until written data is searchable on an idle system. */
const MAX_INDEX_DELAY_MS = 1_000

export function renderTables({ machine, quality, latency, ingest, freshness, failures }: SearchReport): string {
  const { cores, cpu, memory_gb, system, node, load } = machine
  const facts = `${cores} cores (${cpu}), ${memory_gb} GB, ${system}, node ${node}, load ${load}`
  const tables = [
    quality && qualityTable(quality),
    quality?.some(({ shared }) => shared) && sharedTable(quality),
    latency && latencyTable(latency),
    ingest && ingestTable(ingest),
    freshness && freshnessTable(freshness),
  ]
  const failed = failures.map(({ item, reason }) => `FAILED  ${item}: ${reason}`)
  return [facts, ...tables.filter(table => typeof table === 'string'), ...failed].join('\n\n')
}

function qualityTable(rows: QualityRow[]): string {
  const head = ['nDCG@10 / recall@100', 'documents', 'chunks', 'queries', ...MODES, 'hybrid ≥ better arm']
  const lines = rows.map(({ collection, documents, chunks, queries, modes }) => [
    collection,
    ...[documents, chunks, queries].map(String),
    ...MODES.map(mode => `${modes[mode].ndcg.toFixed(3)} / ${modes[mode].recall.toFixed(3)}`),
    verdict(modes.hybrid.ndcg >= Math.max(modes.keyword.ndcg, modes.semantic.ndcg)),
  ])
  return aligned([head, ...lines])
}

function sharedTable(rows: QualityRow[]): string {
  const head = ['nDCG@10', 'alone', 'beside others', 'foreign in its own', `loss ≤ ${MAX_LOSS}`]
  const lines = rows.flatMap(({ collection, modes, shared }) =>
    MODES.flatMap(mode => {
      if (!shared) return []
      const figures = [modes, shared.others, shared.own].map(each => each[mode].ndcg)
      const isHeld = Math.max(...getLosses(modes, shared, mode)) <= MAX_LOSS
      return [[`${collection}, ${mode}`, ...figures.map(ndcg => ndcg.toFixed(3)), verdict(isHeld)]]
    }),
  )
  return aligned([head, ...lines])
}

/** True when hybrid search loses too much quality in a shared index. */
export const isLossTooLarge = ({ modes, shared }: QualityRow): boolean =>
  shared !== undefined && Math.max(...getLosses(modes, shared, 'hybrid')) > MAX_LOSS

const getLosses = (alone: QualityOfModes, { others, own }: NonNullable<QualityRow['shared']>, mode: SearchMode) =>
  [others, own].map(shared => alone[mode].ndcg - shared[mode].ndcg)

function latencyTable(rows: LatencyRow[]): string {
  const head = ['p50 / p95 in ms', ...MODES, 'hybrid / slower arm', `≤ ${MAX_RATIO}`]
  const lines = rows.map(({ chunks, samples }) => {
    const figures = MODES.map(mode => computeFigures(samples[mode]))
    const [keyword, semantic, hybrid] = figures.map(({ median }) => median) as [number, number, number]
    const ratio = hybrid / Math.max(keyword, semantic)
    return [
      `${chunks.toLocaleString('en')} chunks`,
      ...figures.map(({ median, p95 }) => `${median.toFixed(1)} / ${p95.toFixed(1)}`),
      ratio.toFixed(2),
      verdict(ratio <= MAX_RATIO),
    ]
  })
  return aligned([head, ...lines])
}

const ingestTable = ({ chunks, whole, embedded }: IngestRow): string =>
  aligned([
    ['ingest', 'chunks/s', 'embedder alone', 'share'],
    [`${chunks} chunks`, whole.toFixed(0), embedded.toFixed(0), (whole / embedded).toFixed(2)],
  ])

function freshnessTable({ samples }: FreshnessRow): string {
  const { median, p95, p99 } = computeFigures(samples)
  return aligned([
    ['write → found', 'p50 in ms', 'p95', 'p99', `p95 ≤ ${MAX_INDEX_DELAY_MS}`],
    [`${samples.length} writes`, ...[median, p95, p99].map(ms => ms.toFixed(0)), verdict(p95 <= MAX_INDEX_DELAY_MS)],
  ])
}

const verdict = (met: boolean) => (met ? 'met' : 'missed')

/** Aligns text to the left and numbers to the right. */
function aligned(table: string[][]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map(line => line[column]?.length ?? 0)))
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)
  return table.map(line => line.map(cell).join('  ')).join('\n')
}
