import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { JobStatus } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { Answer, AnswerReply, AnswerSource, WaitingFor } from '../../../domain/people/intervention.ts'
import type { Handler } from '../../../domain/people/evaluate-command.ts'
import type { TaskCommand } from '../../../domain/people/handling.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'

/** Search attributes of runs, with their types. */
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
    /** Everyone behind the author, the person included. */
    people: string[]
    /** Absent people whose tasks the author may answer too. */
    stands_in_for?: string[]
    via?: AnswerSource
  }
}

/** What a person does with an intervention without answering it. */
export interface TaskInput {
  interventionId: string
  command: TaskCommand
  by: AnswerInput['by'] & Pick<Handler, 'own_names'>
}

/** Who deals with an intervention after a command. */
export interface TaskReply {
  job_id: string
  interventionId: string
  /** Grows with every change. */
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

/** What a child run waits for. */
export interface ChildState {
  waitingFor: WaitingFor[]
  /** Nothing else of the child is in progress. */
  isWaiting: boolean
}

/** What became of an event. */
export interface EventReply {
  /** Keys of the `wait` nodes that it ended. */
  delivered_to: string[]
  /** No node waits for it now: the next one that does gets it. */
  kept: boolean
}

export interface EndWaitsInput {
  /** Keys of `wait` nodes. Those that have ended are ignored. */
  keys: string[]
  by: string
  /** Everyone behind the author. */
  people: string[]
}

/** The state of a run, as the query `state` returns it. */
export interface RunState {
  status: JobStatus
  current_step?: string
  waitingFor: WaitingFor[]
  nodes: NodeMilestone[]
}

/** Failure type of a message that does not fit the run. */
export const INVALID_INPUT = 'INVALID_INPUT'
/** Failure type of an answer to an intervention that the run has not opened, or not opened again yet after a crash. */
export const NOT_ASKED = 'NOT_ASKED'

/**
 * A rejected answer throws an ApplicationFailure of type `INVALID_INPUT` or NOT_ASKED (400), `NOT_ASSIGNED` (403), or
 * `CLAIMED` (409).
 */
export const inputUpdate = defineUpdate<AnswerReply, [AnswerInput]>('input')
/** Claims, releases, reassigns or delegates an intervention. It is rejected as an answer is. */
export const taskUpdate = defineUpdate<TaskReply, [TaskInput]>('task')
export const pauseSignal = defineSignal<[{ by: string }]>('pause')
export const resumeSignal = defineSignal<[{ by: string }]>('resume')
/** Tells a parent run what its child run waits for. */
export const childSignal = defineSignal<[ChildState & { key: string }]>('child')
/** Delivers a named event. Throws an ApplicationFailure of type `INVALID_INPUT` when the run knows no such event. */
export const eventUpdate = defineUpdate<EventReply, [WaitEventInput]>('deliverEvent')
/** Ends `wait` nodes before their time or event. */
export const endWaitsSignal = defineSignal<[EndWaitsInput]>('endWaits')
/** Tells a run that more people are behind its tree of runs. */
export const joinSignal = defineSignal<[{ people: string[] }]>('join')
/** Announces that the previous run of the thread has ended. */
export const turnSignal = defineSignal('turn')
export const stateQuery = defineQuery<RunState>('state')

/** What a run that begins has shown to operators, as its snapshot holds it. */
export const NOTHING_SHOWN = JSON.stringify(['running', []])
