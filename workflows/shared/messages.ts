import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { Answer, AnswerReply, JobStatus, NodeMilestone, WaitingFor } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'

/** Search attributes of runs; all are Keyword save `GanglionDueAt` (Datetime). */
export const SEARCH_ATTRIBUTES = {
  GanglionWorkspace: 'Keyword',
  GanglionKind: 'Keyword',
  GanglionPathway: 'Keyword',
  GanglionPathwayVersion: 'Keyword',
  GanglionNeuron: 'Keyword',
  GanglionNeuronVersion: 'Keyword',
  GanglionStatus: 'Keyword',
  GanglionWaitingOn: 'Keyword',
  GanglionDueAt: 'Datetime',
} as const

export interface AnswerInput extends Answer {
  interventionId: string
  by: { actor: string; groups: string[] }
}

export interface WaitEventInput {
  name: string
  data?: JsonValue
  by: string
}

/** The run as it knows itself. */
export interface RunState {
  status: JobStatus
  current_step?: string
  waitingFor: WaitingFor[]
  nodes: NodeMilestone[]
}

/** Failure type of an answer to what the run has not asked, or, after a crash, not yet asked again. */
export const NOT_ASKED = 'NOT_ASKED'

/** Refused answers fail with ApplicationFailure type `INVALID_INPUT` or NOT_ASKED (→ 400) or `NOT_ASSIGNED` (→ 403). */
export const inputUpdate = defineUpdate<AnswerReply, [AnswerInput]>('input')
export const pauseSignal = defineSignal<[{ by: string }]>('pause')
export const resumeSignal = defineSignal<[{ by: string }]>('resume')
/** A child run tells its parent what it waits for; an empty list: it goes on. */
export const childSignal = defineSignal<[{ key: string; waitingFor: WaitingFor[] }]>('child')
export const eventSignal = defineSignal<[WaitEventInput]>('event')
/** The run before this one in its thread has ended. */
export const turnSignal = defineSignal('turn')
export const stateQuery = defineQuery<RunState>('state')
