import { type Diagnosis, type Finding, isStuckCause } from '../diagnosis.ts'
import type { RunFacts } from '../facts.ts'

interface Child {
  job_id: string
  diagnosis: Diagnosis
}

/** Finds a stuck child run. Its diagnosis is the evidence. */
export function findChild({ children }: RunFacts): Finding | undefined {
  const stuck = children.find(
    (child): child is Child => child.diagnosis !== undefined && isStuckCause(child.diagnosis.cause),
  )
  if (!stuck) return undefined
  const { job_id, diagnosis } = stuck
  return {
    cause: 'child_stuck',
    since: diagnosis.since,
    message: `Child run ${job_id} is stuck: ${diagnosis.message}`,
    action: diagnosis.action,
    evidence: buildChildEvidence(stuck),
  }
}

/** Finds a waiting child run, if the run itself is doing nothing else. */
export function findWaitingChild({ children }: RunFacts): Finding | undefined {
  const waiting = children.find(
    (child): child is Child =>
      child.diagnosis !== undefined && !['running', 'unknown', 'done'].includes(child.diagnosis.cause),
  )
  if (!waiting) return undefined
  const { job_id, diagnosis } = waiting
  const { cause, since, message, action } = diagnosis
  return { cause, since, message: `Child run ${job_id}: ${message}`, action, evidence: buildChildEvidence(waiting) }
}

const buildChildEvidence = ({
  job_id,
  diagnosis: { cause, since, message, evidence },
}: Child): Finding['evidence'] => ({
  child: { job_id, cause, message, evidence, ...(since !== undefined && { since }) },
})
