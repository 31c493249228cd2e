import { proxyLocalActivities } from '@temporalio/workflow'
import type { PathwayProjections, RecordInput, StepInput } from '../../activities/types.ts'
import type { InterventionChange, JobRef, JobStatus, NodeMilestone } from '../../domain/jobs.ts'
import { recordOptions } from '../record-options.ts'

const { record } = proxyLocalActivities<PathwayProjections>(recordOptions)

/** More than this is written down even when an activity has told it already, so the list stays short. */
const MAX_UNCONFIRMED = 200

/** News a run continued as new takes along. */
export interface CarriedNews {
  nodes: NodeMilestone[]
  interventions: InterventionChange[]
  status: JobStatus
  seq: number
}

/**
 * What has happened and is not yet known to be written down. An activity that starts anyway takes the news along, so a
 * step costs no extra round trip; with nothing to carry them they are written by a local activity of their own. Either
 * way they are kept until such a write, or the end of the run, has confirmed them.
 */
export class News {
  private readonly job: JobRef
  private readonly summary: () => Pick<RecordInput, 'current_step' | 'progress'>
  private nodes: NodeMilestone[]
  private interventions: InterventionChange[]
  private status: JobStatus
  private seq: number
  /** How much of the two lists somebody has already been told. */
  private told = { nodes: 0, interventions: 0, status: true }
  private writing: Promise<void> | undefined

  constructor(job: JobRef, summary: News['summary'], carried?: CarriedNews) {
    this.job = job
    this.summary = summary
    this.nodes = carried?.nodes ?? []
    this.interventions = carried?.interventions ?? []
    this.status = carried?.status ?? 'running'
    this.seq = carried?.seq ?? 1
  }

  /** `reported`: the activity that runs the node tells this itself. */
  addNodes(milestones: NodeMilestone[], reported: (milestone: NodeMilestone) => boolean): void {
    const own = milestones.filter(milestone => !reported(milestone))
    this.nodes = [
      ...this.nodes.slice(0, this.told.nodes),
      ...milestones.filter(reported),
      ...this.nodes.slice(this.told.nodes),
      ...own,
    ]
    this.told.nodes += milestones.length - own.length
  }

  addChange(change: InterventionChange): void {
    // A new list: one that is being written down must not grow, or the change would count as written.
    this.interventions = [...this.interventions, change]
  }

  setStatus(status: JobStatus): void {
    if (status === this.status) return
    this.status = status
    this.seq++
    this.told.status = false
  }

  /** Hands all untold news to an activity that is about to start; with it the run is running again. */
  takeAlong(): Pick<StepInput, 'trail' | 'news'> {
    this.setStatus('running')
    const trail = this.nodes.slice(this.told.nodes)
    const interventions = this.interventions.slice(this.told.interventions)
    const untold = interventions.length > 0 || !this.told.status
    const news = untold
      ? { status: this.status, seq: this.seq, current_step: this.summary().current_step, interventions }
      : undefined
    this.markTold()
    return { trail, news }
  }

  /** Writes what nobody has been told, unless a write is under way: then it follows that one. */
  write(): void {
    if (this.writing || !(this.hasUntold() || this.nodes.length > MAX_UNCONFIRMED)) return
    this.startWrite()
  }

  /**
   * Resolves after a write. It takes the run to a new activation: other runs of the worker get their turn, and a run
   * that computes for long is not ahead of what its readers see.
   */
  rest(): Promise<void> {
    if (!this.writing) this.startWrite()
    return this.quiet()
  }

  private startWrite(): void {
    const batch = this.all()
    this.markTold()
    this.writing = record(batch).then(() => {
      this.writing = undefined
      this.nodes = this.nodes.slice(batch.nodes.length)
      this.interventions = this.interventions.slice(batch.interventions.length)
      this.told.nodes -= batch.nodes.length
      this.told.interventions -= batch.interventions.length
      this.write()
    })
  }

  /** Everything not confirmed yet: what the end of the run writes, or what continue-as-new takes along. */
  all(): RecordInput {
    const { job, status, seq, nodes, interventions, told } = this
    return { job, status, seq, ...this.summary(), nodes, interventions, told: { ...told } }
  }

  carry(): CarriedNews {
    return { nodes: this.nodes, interventions: this.interventions, status: this.status, seq: this.seq }
  }

  /** Settles when no write is under way. */
  async quiet(): Promise<void> {
    while (this.writing) await this.writing
  }

  private hasUntold(): boolean {
    const { nodes, interventions, status } = this.told
    return nodes < this.nodes.length || interventions < this.interventions.length || !status
  }

  private markTold(): void {
    this.told = { nodes: this.nodes.length, interventions: this.interventions.length, status: true }
  }
}
