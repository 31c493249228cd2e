import type { Finding } from '../diagnosis.ts'
import type { RunFacts } from '../facts.ts'
import { isTerminal } from '../../jobs.ts'

/** A run that has ended, that Temporal does not tell of, or that Temporal does not have. */
export function findEnd({ job, run }: RunFacts): Finding | undefined {
  if (isTerminal(job.status)) return job.status === 'completed' ? completed(job) : failed(job)
  if (run === 'unavailable') return TEMPORAL_AWAY
  if (run === 'absent')
    return {
      cause: 'not_started',
      since: job.created_at,
      message: 'Accepted, and not started yet: Temporal does not have the run',
      action: 'Read the diagnosis again. A run that is not started within a minute fails with NEVER_STARTED',
      evidence: { status: job.status },
    }
  return undefined
}

const completed = ({ finished_at }: RunFacts['job']): Finding => ({
  cause: 'done',
  since: finished_at ?? undefined,
  message: 'Completed',
  action: 'Nothing is to be done',
  evidence: { status: 'completed' },
})

function failed({ finished_at, failed_code, failed_reason, failed_node_key }: RunFacts['job']): Finding {
  const reason = failed_reason ?? 'failed'
  return {
    cause: 'done',
    since: finished_at ?? undefined,
    message: `Failed: ${reason}`,
    action: `Read what failed${failed_node_key ? ` at ${failed_node_key}` : ''} and what the receipt says, then retry the run, or fork it with a correction`,
    evidence: {
      status: 'failed',
      code: failed_code ?? 'FAILED',
      reason,
      ...(failed_node_key && { node_key: failed_node_key }),
    },
  }
}

const TEMPORAL_AWAY: Finding = {
  cause: 'component_away',
  message: 'Temporal did not answer in time',
  action: 'Look at the health of the service, and bring Temporal back: runs go on from where they are',
  evidence: { component: 'temporal' },
}
