import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { JobStatus } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { Answer, AnswerReply, AnswerSource, WaitingFor } from '../../../domain/people/intervention.ts'
import type { Handler } from '../../../domain/people/evaluate-command.ts'
import type { TaskCommand } from '../../../domain/people/handling.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'

/** Search attributes of runs and their types. */
export const SEARCH_ATTRIBUTES = {
  GanglionWorkspace: 'Keyword',
  GanglionKind: 'Keyword',
  GanglionTitle: 'Text',
  GanglionRequester: 'Keyword',
  GanglionPathway: 'Keyword',
  GanglionPathwayVersion: 'Keyword',
  GanglionNeuron: 'Keyword',
  GanglionNeuronVersion: 'Keyword',
  GanglionTrigger: 'Keyword',
  GanglionStatus: 'Keyword',
  GanglionWaitingOn: 'KeywordList',
  GanglionDueAt: 'Datetime',
} as const

export interface AnswerInput extends Answer {
  interventionId: string
  by: {
    actor: string
    groups: string[]
    person?: string
    /** Everyone behind the author, including the person. */
    people: string[]
    /** Absent people whose tasks the author may answer too. */
    stands_in_for?: string[]
    via?: AnswerSource
  }
}

/** A command that changes the handling of a task without answering it. */
export interface TaskInput {
  interventionId: string
  command: TaskCommand
  by: AnswerInput['by'] & Pick<Handler, 'own_names'>
}

/** The handling of a task after a command. */
export interface TaskReply {
  job_id: string
  interventionId: string
  /** Increases with every change. */
  revision: number
  assignees: string[]
  claimed_by?: string
  /** ISO 8601. */
  claimed_at?: string
}

export interface WaitEventInput {
  name: string
  data?: JsonValue
  by: string
  /** Everyone behind the sender. */
  people: string[]
}

/** The state of a child run, as reported to its parent. */
export interface ChildState {
  waitingFor: WaitingFor[]
  /** Whether the child does nothing but wait. */
  isWaiting: boolean
}

/** The outcome of an event delivery. */
export interface EventReply {
  /** Keys of the `wait` nodes that the event ended. */
  delivered_to: string[]
  /**
   * Whether the event was kept, because no node is waiting for it yet. The next node that waits for the event
   * receives it.
   */
  kept: boolean
}

export interface EndWaitsInput {
  /** Keys of `wait` nodes. Nodes that have ended are ignored. */
  keys: string[]
  by: string
  /** Everyone behind the author. */
  people: string[]
}

/** Run state, as returned by the `state` query. */
export interface RunState {
  status: JobStatus
  current_step?: string
  waitingFor: WaitingFor[]
  nodes: NodeMilestone[]
}

/** Failure type of a message that is invalid for the run. */
export const INVALID_INPUT = 'INVALID_INPUT'
/** Failure type of an answer to a task that the run has not opened, or not reopened yet after a crash. */
export const NOT_ASKED = 'NOT_ASKED'

/**
 * A rejected answer throws an ApplicationFailure of type `INVALID_INPUT` or NOT_ASKED (400), `NOT_ASSIGNED` (403), or
 * `CLAIMED` (409).
 */
export const inputUpdate = defineUpdate<AnswerReply, [AnswerInput]>('input')
/** Claims, releases, reassigns or delegates a task. Rejections have the same types as for answers. */
export const taskUpdate = defineUpdate<TaskReply, [TaskInput]>('task')
export const pauseSignal = defineSignal<[{ by: string }]>('pause')
export const resumeSignal = defineSignal<[{ by: string }]>('resume')
/** Notifies a parent run of its child's state. */
export const childSignal = defineSignal<[ChildState & { key: string }]>('child')
/** Delivers a named event. Throws an ApplicationFailure of type `INVALID_INPUT` if the run has no such event. */
export const eventUpdate = defineUpdate<EventReply, [WaitEventInput]>('deliverEvent')
/** Ends `wait` nodes before their time or event. */
export const endWaitsSignal = defineSignal<[EndWaitsInput]>('endWaits')
/** Notifies a run that more people are behind its tree of runs. */
export const joinSignal = defineSignal<[{ people: string[] }]>('join')
/** Notifies a run that the previous run in the thread has ended. */
export const turnSignal = defineSignal('turn')
export const stateQuery = defineQuery<RunState>('state')

/** The initial operator view in the snapshot of a starting run. */
export const NOTHING_SHOWN = JSON.stringify(['running', []])
