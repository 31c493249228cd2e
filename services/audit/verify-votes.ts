import { type EvidenceKey, type EvidenceProblem, verifyEvidence } from '@ganglion/client/evidence'
import { readBatches } from '../../data/shared/batches.ts'
import type { Database } from '../../data/shared/database.ts'
import { findLostVote, listVotedInterventions } from '../../data/people/votes-store.ts'
import { assembleEvidence } from '../people/evidence/assemble.ts'

export interface VotesReport {
  /** Number of votes with valid signatures. */
  verified: number
  /** Number of votes recorded while no key was configured. */
  unsigned: number
  /** The first problems, at most `MAX_PROBLEMS`. */
  problems: (EvidenceProblem & { intervention_id: string })[]
}

const MAX_PROBLEMS = 20

/**
 * Verifies the votes for all decisions in a workspace, including decisions from removed runs. Uses the same checks as
 * evidence verification.
 */
export async function verifyVotes(
  db: Database,
  workspace: { id: string; slug: string },
  keys: EvidenceKey[],
): Promise<VotesReport> {
  const report: VotesReport = { verified: 0, unsigned: 0, problems: [] }
  const batches = readBatches(
    ({ after, limit }) => db.inWorkspace(workspace.id, tx => listVotedInterventions(tx, after, limit)),
    id => id,
  )
  for await (const ids of batches) {
    for (const id of ids) await verifyTask(db, workspace, { id, keys, report })
    if (report.problems.length >= MAX_PROBLEMS) break
  }
  const lost = await db.inWorkspace(workspace.id, findLostVote)
  if (lost && !report.problems.some(({ intervention_id }) => intervention_id === lost.intervention_id)) {
    const { intervention_id, audit_id } = lost
    const message = `the vote for entry ${audit_id} is missing`
    report.problems.push({ code: 'VOTE_MISSING', pointer: '', intervention_id, message })
  }
  report.problems.splice(MAX_PROBLEMS)
  return report
}

async function verifyTask(
  db: Database,
  workspace: { id: string; slug: string },
  { id, keys, report }: { id: string; keys: EvidenceKey[]; report: VotesReport },
): Promise<void> {
  const assembled = await db.inWorkspace(workspace.id, tx => assembleEvidence(tx, workspace, id))
  // Retention has removed the evidence in the meantime.
  if (!assembled) return
  const { problems, votes } = await verifyEvidence({ ...assembled, signature: null }, keys)
  // The document is assembled here without a signature.
  const ownProblems = problems.filter(({ pointer }) => pointer !== '/signature')
  const unsigned = ownProblems.filter(({ code }) => code === 'UNSIGNED').length
  const mismatches = ownProblems.filter(({ code }) => code !== 'UNSIGNED')
  report.unsigned += unsigned
  if (mismatches.length === 0) report.verified += votes - unsigned
  for (const problem of mismatches) report.problems.push({ ...problem, intervention_id: id })
}
