import { type BulkProblem, countItems, listProblems } from '../../../data/runs/bulk-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { visibleBrains } from '../../access/brains.ts'
import type { BulkReport } from '../../../contract/runs/bulk.ts'

const MAX_PROBLEMS = 100

/** Returns a bulk job's progress, with the problems of runs that the reader may see. */
export async function readBulkReport(tx: Tx, principal: Principal, jobId: string): Promise<BulkReport> {
  const [counts, problems] = await Promise.all([
    countItems(tx, jobId),
    listProblems(tx, jobId, visibleBrains(principal), MAX_PROBLEMS),
  ])
  return { ...counts, problems: problems.map(presentProblem) }
}

const presentProblem = ({ code, ...problem }: BulkProblem) => ({ ...problem, ...(code !== null && { code }) })
