import { proxyLocalActivities } from '@temporalio/workflow'
import type { PathwayProjections, RecordInput, StepInput } from '../../../activities/types.ts'
import type { JobRef, JobStatus } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { InterventionChange } from '../../../domain/people/intervention.ts'
import { RECORD_OPTIONS } from '../steps/activity-options.ts'

const { record } = proxyLocalActivities<PathwayProjections>(RECORD_OPTIONS)

/**
 * If more milestones than this are unconfirmed, they are written even if activities have published them. This bounds
 * the list.
 */
const MAX_UNCONFIRMED = 200

export type UnpublishedUpdates = Pick<StepInput, 'preceding_milestones' | 'run_update' | 'progress'>

/** The buffer state passed on by continue-as-new. */
export interface ProjectionBufferState {
  nodes: NodeMilestone[]
  interventions: InterventionChange[]
  status: JobStatus
  seq: number
}

/**
 * Buffers the updates of a run until a write confirms them. A starting activity carries unpublished updates, so that
 * a step costs no extra round trip. If no activity starts, the local activity `record` writes them.
 */
export class ProjectionBuffer {
  private readonly job: JobRef
  private readonly summarize: () => Pick<RecordInput, 'current_step' | 'progress'>
  private nodes: NodeMilestone[]
  private interventions: InterventionChange[]
  private status: JobStatus
  private seq: number
  /** Number of published entries at the start of each list, and whether the status is published. */
  private published = { nodes: 0, interventions: 0, status: true }
  private writing: Promise<void> | undefined

  constructor(job: JobRef, summarize: ProjectionBuffer['summarize'], state?: ProjectionBufferState) {
    this.job = job
    this.summarize = summarize
    this.nodes = state?.nodes ?? []
    this.interventions = state?.interventions ?? []
    this.status = state?.status ?? 'running'
    this.seq = state?.seq ?? 1
  }

  /** Milestones for which `isReported` returns true are published by their node's activity. */
  addNodes(milestones: NodeMilestone[], isReported: (milestone: NodeMilestone) => boolean): void {
    const unreported = milestones.filter(milestone => !isReported(milestone))
    this.nodes = [
      ...this.nodes.slice(0, this.published.nodes),
      ...milestones.filter(isReported),
      ...this.nodes.slice(this.published.nodes),
      ...unreported,
    ]
    this.published.nodes += milestones.length - unreported.length
  }

  addInterventionChange(change: InterventionChange): void {
    // The list is copied, because a batch being written must not grow. Otherwise, the change would count as written.
    this.interventions = [...this.interventions, change]
  }

  setStatus(status: JobStatus): void {
    if (status === this.status) return
    this.status = status
    this.seq++
    this.published.status = false
  }

  /** Returns all unpublished updates for a starting activity, and sets the status to running. */
  takeUnpublished(): UnpublishedUpdates {
    this.setStatus('running')
    const preceding_milestones = this.nodes.slice(this.published.nodes)
    const interventions = this.interventions.slice(this.published.interventions)
    const isUnpublished = interventions.length > 0 || !this.published.status
    const { current_step, progress } = this.summarize()
    const run_update = isUnpublished ? { status: this.status, seq: this.seq, current_step, interventions } : undefined
    this.markPublished()
    return { preceding_milestones, run_update, progress }
  }

  /** Writes unpublished updates. Does nothing while a write is in progress, because the next write follows it. */
  write(): void {
    if (this.writing || !(this.hasUnpublished() || this.nodes.length > MAX_UNCONFIRMED)) return
    this.startWrite()
  }

  /**
   * Resolves after a write, in a new activation. Meanwhile, the worker executes other runs, and readers catch up with
   * a run that computes for a long time.
   */
  yieldByWriting(): Promise<void> {
    if (!this.writing) this.startWrite()
    return this.flushed()
  }

  /** Resolves when all updates so far are written, including those published by activities. */
  async flushAll(): Promise<void> {
    await this.flushed()
    await this.yieldByWriting()
  }

  private startWrite(): void {
    const batch = this.toRecord()
    this.markPublished()
    this.writing = record(batch).then(() => {
      this.writing = undefined
      this.nodes = this.nodes.slice(batch.nodes.length)
      this.interventions = this.interventions.slice(batch.interventions.length)
      this.published.nodes -= batch.nodes.length
      this.published.interventions -= batch.interventions.length
      this.write()
    })
  }

  /** Returns all unconfirmed updates as one record. */
  toRecord(): RecordInput {
    const { job, status, seq, nodes, interventions, published } = this
    return { job, status, seq, ...this.summarize(), nodes, interventions, published: { ...published } }
  }

  snapshot(): ProjectionBufferState {
    return { nodes: this.nodes, interventions: this.interventions, status: this.status, seq: this.seq }
  }

  /** Resolves when no write is in progress. */
  async flushed(): Promise<void> {
    while (this.writing) await this.writing
  }

  private hasUnpublished(): boolean {
    const { nodes, interventions, status } = this.published
    return nodes < this.nodes.length || interventions < this.interventions.length || !status
  }

  private markPublished(): void {
    this.published = { nodes: this.nodes.length, interventions: this.interventions.length, status: true }
  }
}
