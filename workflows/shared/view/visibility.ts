import {
  getExternalWorkflowHandle,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { JobRef, JobStatus } from '../../../domain/runs/jobs.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import { buildStateAttributes } from '../run/attributes.ts'
import { renderRunDetails, type RunDetails } from './current-details.ts'
import { childSignal, NOTHING_SHOWN } from '../run/messages.ts'

/** Reports a run's state to operators and to its parent run. Sends only changes. */
export class Visibility {
  private readonly run: { job: JobRef; parent_key?: string }
  /** The last state sent. Runs start as running. */
  private lastUpserted: string

  constructor(run: Visibility['run'], lastUpserted = NOTHING_SHOWN) {
    this.run = run
    this.lastUpserted = lastUpserted
  }

  show(details: RunDetails): void {
    setCurrentDetails(renderRunDetails(details))
  }

  upsert(status: JobStatus, waitingFor: WaitingFor[], isOver: boolean): void {
    const current = JSON.stringify([
      status,
      waitingFor.map(({ interventionId, assignees }) => [interventionId, assignees]),
    ])
    if (current === this.lastUpserted || (isOver && this.lastUpserted === NOTHING_SHOWN)) return
    this.lastUpserted = current
    upsertSearchAttributes(buildStateAttributes(status, waitingFor))
    this.notifyParent(waitingFor, status === 'waiting')
  }

  snapshot(): string {
    return this.lastUpserted
  }

  private notifyParent(waitingFor: WaitingFor[], isWaiting: boolean): void {
    const { parent } = workflowInfo()
    const { parent_key: key, job } = this.run
    if (!parent || key === undefined) return
    const waiting = waitingFor.map(entry => ({ ...entry, job_id: entry.job_id ?? job.job_id }))
    getExternalWorkflowHandle(parent.workflowId)
      .signal(childSignal, { key, waitingFor: waiting, isWaiting })
      .catch(() => undefined)
  }
}
