import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchMode } from '../../../search/query/search-query.ts'
import type { Search } from '../../../search/search.ts'
import { timed } from '../support/turns.ts'
import { look, MODES, type TestContext, writeMany } from './place.ts'
import { buildPool, buildResources } from './synthetic.ts'

export interface LatencyRow {
  chunks: number
  /** Milliseconds per search. */
  samples: Record<SearchMode, number[]>
}

const SIZES = [10_000, 100_000]
const POOL = 3_000
const SAMPLES = 300
const WARM_UP = 60
const LIMIT = 10
/** After writes, segments are merged for a while. */
const SETTLE_MS = 10_000

/** Measures search time including query embedding, in a growing index of synthetic texts. */
export async function measureLatency({ collections, embedder, quick, withIndex }: TestContext): Promise<LatencyRow[]> {
  const share = quick ? 4 : 1
  const pool = await buildPool(collections, embedder, POOL / share)
  const queries = collections.flatMap(({ queries }) => queries.map(({ text }) => text))
  return withIndex(async search => {
    const rows: LatencyRow[] = []
    let written = 0
    for (const chunks of quick ? SIZES.slice(0, 1) : SIZES) {
      await writeMany(search, buildResources(pool, chunks - written, chunks))
      written = chunks
      await sleep(SETTLE_MS)
      rows.push({ chunks, samples: await takeInTurns(search, queries, SAMPLES / share) })
    }
    return rows
  })
}

/** Runs all modes with each query in varying order, so that other work on the machine delays all modes equally. */
async function takeInTurns(search: Search, queries: string[], turns: number): Promise<LatencyRow['samples']> {
  const samples: LatencyRow['samples'] = { keyword: [], semantic: [], hybrid: [] }
  for (let turn = -WARM_UP; turn < turns; turn++) {
    const query = queries.at(turn % queries.length) ?? ''
    for (let step = 0; step < MODES.length; step++) {
      const mode = MODES.at((turn + step) % MODES.length) as SearchMode
      const took = await timed(() => look(search, mode, query, LIMIT))
      if (turn >= 0) samples[mode].push(took)
    }
  }
  return samples
}
