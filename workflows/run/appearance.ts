import {
  getExternalWorkflowHandle,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { JobRef, JobStatus, NodeMilestone, WaitingFor } from '../../domain/jobs.ts'
import { stateAttributes } from '../attributes.ts'
import { detailsOf } from './details.ts'
import { childSignal } from './messages.ts'

const RUNNING = JSON.stringify(['running', []])

/** How a run looks to operators and to the run it belongs to. Only what has changed is told anew. */
export class Appearance {
  private readonly run: { job: JobRef; parent_key?: string }
  /** What was told last; runs begin as running. */
  private shown: string

  constructor(run: Appearance['run'], shown = RUNNING) {
    this.run = run
    this.shown = shown
  }

  show(status: JobStatus, waitingFor: WaitingFor[], nodes: NodeMilestone[], isOver: boolean): void {
    setCurrentDetails(detailsOf(status, waitingFor, nodes))
    const seen = JSON.stringify([
      status,
      waitingFor.map(({ interventionId, assignees }) => [interventionId, assignees]),
    ])
    if (seen === this.shown || (isOver && this.shown === RUNNING)) return
    this.shown = seen
    upsertSearchAttributes(stateAttributes(status, waitingFor))
    this.tellParent(waitingFor)
  }

  carry(): string {
    return this.shown
  }

  private tellParent(waitingFor: WaitingFor[]): void {
    const { parent } = workflowInfo()
    const { parent_key: key, job } = this.run
    if (!parent || key === undefined) return
    const asked = waitingFor.map(entry => ({ ...entry, job_id: entry.job_id ?? job.job_id }))
    getExternalWorkflowHandle(parent.workflowId)
      .signal(childSignal, { key, waitingFor: asked })
      .catch(() => undefined)
  }
}
