import type { Finding } from '../diagnosis.ts'
import type { RunFacts } from '../facts.ts'
import { isTerminal } from '../../jobs.ts'

/** Finds a run that has ended, is missing in Temporal, or cannot be described because Temporal is unavailable. */
export function findEnd({ job, run }: RunFacts): Finding | undefined {
  if (isTerminal(job.status)) return job.status === 'completed' ? completed(job) : failed(job)
  if (run === 'unavailable') return TEMPORAL_AWAY
  if (run === 'absent')
    return {
      cause: 'not_started',
      since: job.created_at,
      message: 'Accepted but not started: the run does not exist in Temporal yet',
      action: 'Check again. A run that does not start within a minute fails with NEVER_STARTED',
      evidence: { status: job.status },
    }
  return undefined
}

const completed = ({ finished_at }: RunFacts['job']): Finding => ({
  cause: 'done',
  since: finished_at ?? undefined,
  message: 'Completed',
  action: 'No action needed',
  evidence: { status: 'completed' },
})

function failed({ finished_at, failed_code, failed_reason, failed_node_key }: RunFacts['job']): Finding {
  const reason = failed_reason ?? 'failed'
  return {
    cause: 'done',
    since: finished_at ?? undefined,
    message: `Failed: ${reason}`,
    action: `Check the error${failed_node_key ? ` at ${failed_node_key}` : ''} and the receipt. Then retry the run, or fork it with a correction`,
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
  message: 'Temporal did not respond in time',
  action: 'Check the health of the service and restore Temporal. Runs resume automatically',
  evidence: { component: 'temporal' },
}
