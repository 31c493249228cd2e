import { Forbidden } from '../../../domain/shared/errors.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { ForkPlan } from '../../../domain/pathways/fork/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'

/** Lists the effects that a fork repeats after a decision that holds in it. */
export const listRepeatedAfterDecision = ({ repeated }: ForkPlan): ForkPlan['repeated'] =>
  repeated.filter(({ decided_at }) => decided_at.length > 0)

/**
 * Throws Forbidden when a fork repeats an effect behind a decision without asking again, for somebody who is neither the
 * requester nor free to decide in the run.
 */
export function checkRepeats({ person, people }: Principal, row: JobRecord, plan: ForkPlan): void {
  const [effect] = listRepeatedAfterDecision(plan)
  const [requester] = row.people
  if (!effect || person === requester || !people.some(name => row.people.includes(name))) return
  throw new Forbidden(
    `${effect.key} would run again after the decision at ${effect.decided_at.join(', ')}: only ${requester ?? row.requester} or somebody who is not behind the run may repeat it`,
  )
}
