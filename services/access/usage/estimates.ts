import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../data/shared/database.ts'
import { averageUsage, type MeanUsage } from '../../../data/access/usage-store.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { Estimates, RunEstimate, TokenEstimate } from '../../../contract/shared/estimates.ts'
import { visibleBrains } from '../brains.ts'

const DAY_MS = 86_400_000
const PERIOD_DAYS = 30
const MAX_RUNS = 100
/** Average number of embedded tokens per word of English prose, including chunk titles and headings. */
const TOKENS_PER_WORD = 1.7
const QUERY_WORDS = 10

interface Deps {
  db: Database
  config: Pick<Config, 'EMBEDDING_USD_PER_MTOK' | 'SPEECH_URL' | 'SPEECH_USD_PER_MINUTE'>
}

/** Estimates costs: run costs from the workspace's recent runs, and other call costs from the configured prices. */
export const createEstimates =
  ({ db, config }: Deps) =>
  async (principal: Principal): Promise<Estimates> => {
    const since = new Date(Date.now() - PERIOD_DAYS * DAY_MS).toISOString()
    const query = {
      kinds: ['neuron' as const, 'pathway' as const],
      since,
      maxRuns: MAX_RUNS,
      brain_ids: visibleBrains(principal),
    }
    const means = await db.inWorkspace(principal.workspace_id, tx => averageUsage(tx, query))
    return {
      neuron_run: findMean(means, 'neuron'),
      pathway_run: findMean(means, 'pathway'),
      ingest_1000_words: priceWords(1_000, config),
      search_query: priceWords(QUERY_WORDS, config),
      transcribe_minute: config.SPEECH_URL ? { usd: config.SPEECH_USD_PER_MINUTE } : null,
    }
  }

function findMean(means: MeanUsage[], kind: MeanUsage['kind']): RunEstimate {
  const kindMean = means.find(mean => mean.kind === kind)
  if (!kindMean) return null
  const { runs, input_tokens, output_tokens, usd } = kindMean
  return { runs, input_tokens, output_tokens, usd }
}

function priceWords(words: number, config: Deps['config']): TokenEstimate {
  const input_tokens = Math.round(words * TOKENS_PER_WORD)
  return { input_tokens, usd: (input_tokens / 1_000_000) * config.EMBEDDING_USD_PER_MTOK }
}
