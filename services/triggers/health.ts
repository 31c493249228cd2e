import type { Tx } from '../../data/shared/database.ts'
import { readFailureRates } from '../../data/triggers/trigger-firings-store.ts'
import type { TriggerState } from '../../data/triggers/trigger-states-store.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import type { TriggerDocument } from '../../domain/resources/kinds/triggers.ts'
import { isFailure } from '../../domain/triggers/firing.ts'
import { type HealthReport, assessHealth } from '../../domain/triggers/health.ts'
import { inBrain } from '../access/brains.ts'
import { findTargetProblem, findTargets, buildTargetKey } from './targets.ts'

interface TriggerHead {
  id: string
  brain_id: string | null
  is_active: boolean
  document: object
}

/** Returns the triggers' health, with a few queries per brain. */
export async function readHealth(
  tx: Tx,
  access: BrainAccess,
  heads: TriggerHead[],
  states: Map<string, TriggerState>,
): Promise<HealthReport[]> {
  const problems = await findProblems(tx, access, heads)
  const isLastFailed = ({ id }: TriggerHead) => {
    const last = states.get(id)?.last_decision
    return last !== undefined && last !== null && isFailure(last)
  }
  const failing = heads.filter(isLastFailed).map(({ id }) => id)
  const rates = await readFailureRates(tx, failing)
  const now = Date.now()
  return heads.map(({ id, is_active, document }) => {
    const { paused, pause_note } = document as TriggerDocument
    const state = states.get(id)
    const facts = {
      is_active,
      paused,
      pause_note,
      targetProblem: problems.get(id),
      failed_runs: state?.failed_runs ?? 0,
      events: rates.get(id)?.events ?? 0,
      failures: rates.get(id)?.failures ?? 0,
    }
    const { last_decision = null, last_reason = null, last_decided_at = null, sync_error = null } = state ?? {}
    return assessHealth({ ...facts, last_decision, last_reason, last_decided_at, sync_error }, now)
  })
}

/** Returns, by trigger, the reason why its target cannot be started. Visibility depends on the trigger's brain. */
async function findProblems(
  tx: Tx,
  access: BrainAccess,
  heads: TriggerHead[],
): Promise<Map<string, string | undefined>> {
  const problems = new Map<string, string | undefined>()
  for (const brain of new Set(heads.map(({ brain_id }) => brain_id))) {
    const brainHeads = heads.filter(({ brain_id }) => brain_id === brain)
    const targets = brainHeads.map(({ document }) => (document as TriggerDocument).target)
    const pinnedTargets = await findTargets(tx, inBrain(access, brain), targets)
    brainHeads.forEach(({ id }, i) => {
      const target = targets[i] as TriggerDocument['target']
      problems.set(id, findTargetProblem(target, pinnedTargets.get(buildTargetKey(target))))
    })
  }
  return problems
}
