import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../data/shared/database.ts'
import { addEmbeddingUsage } from '../../../data/access/usage-store.ts'

/** Records the number of embedded tokens in the background. Failed writes are logged. */
export type RecordEmbedding = (workspaceId: string, inputTokens: number) => void

interface Deps {
  db: Database
  model: string
  config: Pick<Config, 'EMBEDDING_USD_PER_MTOK'>
  log: Logger
}

export function createEmbeddingLedger({ db, model, config, log }: Deps): RecordEmbedding {
  return (workspaceId, input_tokens) => {
    const usd = (input_tokens / 1_000_000) * config.EMBEDDING_USD_PER_MTOK
    db.inWorkspace(workspaceId, tx => addEmbeddingUsage(tx, { model, input_tokens, usd })).catch((err: unknown) => {
      log.warn({ err, workspace_id: workspaceId, input_tokens }, 'recording embedding usage failed')
    })
  }
}
