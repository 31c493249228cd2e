import { ApplicationFailure, isCancellation, sleep } from '@temporalio/workflow'
import { type Label, buildLabelField } from '../../../domain/pathways/labels/labels.ts'
import { evaluateCommand } from '../../../domain/people/evaluate-command.ts'
import { type Assignment, endClaim, escalate, exclude, UNHANDLED, union } from '../../../domain/people/handling.ts'
import {
  evaluateAnswer,
  type OpenIntervention,
  type Refusal,
  buildDecisionOutput,
  buildReply,
  describeWaitingFor,
} from '../../../domain/people/answering.ts'
import type { DecisionCovers } from '../../../domain/runs/nodes.ts'
import type {
  AnswerReply,
  HandlingEvent,
  Intervention,
  InterventionChange,
  WaitingFor,
} from '../../../domain/people/intervention.ts'
import type { InterventionRequest, EngineEvent } from '../../../domain/pathways/engine/commands.ts'
import { isVisitorName } from '../../../domain/access/principal.ts'
import { type AnswerInput, NOT_ASKED, type TaskInput, type TaskReply } from './messages.ts'
import { now, createDeterministicId } from '../deterministic.ts'
import { startTask, type Task } from '../scopes.ts'

/** A task with its future reminders and escalations. */
interface TimedIntervention extends OpenIntervention {
  remind_at: string[]
  escalate: InterventionRequest['escalate']
}

/** The event of a closed task. */
export type ClosingEvent = Extract<EngineEvent, { type: 'completed' | 'failed' | 'settled' }>

export type InterventionsState = Record<string, TimedIntervention>

/** Callbacks into the run. */
export interface OpenInterventionsDeps {
  jobId: string
  /** Whether an escalation leaves a task for everyone as it is. False in runs of an earlier version. */
  keepsEveryone: boolean
  deliver(event: ClosingEvent): void
  emitChange(change: InterventionChange): void
  /** Returns what a decision at a node covers. */
  findCovers(key: string): DecisionCovers | undefined
  /** Called after a change without an event, so that it is published immediately. */
  onChange(): void
}

/** The open tasks of one run, with their votes and timers. */
export class OpenInterventions {
  private readonly deps: OpenInterventionsDeps
  private readonly byId: Map<string, TimedIntervention>
  private readonly timers = new Map<string, Task>()

  constructor(deps: OpenInterventionsDeps, state: InterventionsState = {}) {
    this.deps = deps
    this.byId = new Map(Object.entries(state))
  }

  /** Opens a task. Its timer runs until the task is closed. */
  open({ key, node, request }: { key: string; node: { id: string }; request: InterventionRequest }, at: string): void {
    const { remind_at, escalate, ...content } = request
    const intervention: Intervention = {
      id: this.newId(key),
      node_key: key,
      node_id: node.id,
      opened_at: at,
      ...content,
    }
    const open: TimedIntervention = { intervention, votes: [], remind_at, escalate }
    this.byId.set(intervention.id, open)
    this.deps.emitChange({ change: 'opened', intervention })
    this.startTimer(open)
  }

  /** Returns a new task id each time people decide again in a node. */
  private newId(key: string): string {
    for (let round = 1; ; round++) {
      const id = createDeterministicId(round === 1 ? key : `${key} ${round}`)
      if (!this.byId.has(id)) return id
    }
  }

  /** Restarts the timers of tasks that were open before continue-as-new. */
  restartTimers(): void {
    for (const open of this.listOpen()) this.startTimer(open)
  }

  /** Throws for an invalid answer before it becomes part of the history. */
  validate(input: AnswerInput): void {
    const verdict = evaluateAnswer(this.byId.get(input.interventionId), pickAnswer(input), input.by, now())
    if (verdict.type === 'refused') this.throwRefusal(input.interventionId, verdict)
  }

  private throwRefusal(id: string, { message, reason, pointer }: Refusal): never {
    throw ApplicationFailure.nonRetryable(message, this.byId.has(id) ? reason : NOT_ASKED, pointer)
  }

  /** Records an answer. Validates it again, because two answers can pass the validator in the same workflow task. */
  submit(input: AnswerInput): AnswerReply {
    this.validate(input)
    const open = this.byId.get(input.interventionId)
    const verdict = evaluateAnswer(open, pickAnswer(input), input.by, now())
    if (!open || verdict.type === 'refused') throw ApplicationFailure.nonRetryable('task not found', NOT_ASKED)
    if (verdict.type === 'counted') this.recordVote(open, verdict)
    return buildReply(this.deps.jobId, open, verdict.vote)
  }

  private recordVote(
    open: TimedIntervention,
    { vote: counted, decided: isDecided }: { vote: TimedIntervention['votes'][number]; decided: boolean },
  ): void {
    const { id, node_key } = open.intervention
    const covers = isDecided ? this.deps.findCovers(node_key) : undefined
    const vote = { ...counted, ...(covers && { covers }) }
    open.votes.push(vote)
    if (isDecided) open.decision = vote
    this.deps.emitChange({ change: 'answered', id, node_key, vote, decided: isDecided, decision: open.decision })
    if (!isDecided) return this.afterVote(open, vote)
    this.close(open, 'decided')
    const { action: port, at } = vote
    const labels: Label[] = isVisitorName(vote.by) ? ['visitor'] : []
    const output = buildDecisionOutput(vote, { ...open.intervention, votes: open.votes })
    this.deps.deliver({
      type: 'completed',
      key: node_key,
      at,
      output,
      port,
      ...buildLabelField(labels),
      ...(covers && { covers }),
    })
  }

  /** Releases the claim of a person who has answered, so that others can answer. */
  private afterVote(open: TimedIntervention, { by, person, at }: TimedIntervention['votes'][number]): void {
    const { handling, intervention } = open
    if (handling?.claim)
      this.handle(open, { assignees: intervention.assignees, handling: endClaim(handling) }, 'released', at, {
        by,
        ...(person !== undefined && { person }),
      })
    this.deps.onChange()
  }

  /** Throws for an invalid command before it becomes part of the history. */
  validateCommand({ interventionId, command, by }: TaskInput): void {
    const verdict = evaluateCommand(this.byId.get(interventionId), command, by, now())
    if (verdict.type === 'refused') this.throwRefusal(interventionId, verdict)
  }

  /** Changes the handling of a task. Validates again, like `submit`. */
  applyCommand(input: TaskInput): TaskReply {
    const { interventionId, command, by } = input
    const open = this.byId.get(interventionId)
    const at = now()
    const verdict = evaluateCommand(open, command, by, at)
    if (verdict.type === 'refused') this.throwRefusal(interventionId, verdict)
    if (!open) throw ApplicationFailure.nonRetryable('task not found', NOT_ASKED)
    if (verdict.type === 'changed') {
      const { actor, person, via } = by
      const comment = 'comment' in command ? command.comment : undefined
      this.handle(open, verdict, verdict.change, at, { by: actor, person, via, comment })
      this.deps.onChange()
    }
    const { handling: { revision, claim } = UNHANDLED, intervention } = open
    const claimed = claim && { claimed_by: claim.by, claimed_at: claim.at }
    return { job_id: this.deps.jobId, interventionId, revision, assignees: intervention.assignees, ...claimed }
  }

  private handle(
    open: TimedIntervention,
    { assignees, handling }: Assignment,
    change: HandlingEvent['change'],
    at: string,
    more: Pick<HandlingEvent, 'by' | 'person' | 'via' | 'comment' | 'excluded'> = {},
  ): void {
    const { id, node_key } = open.intervention
    open.intervention = { ...open.intervention, assignees }
    open.handling = handling
    this.deps.emitChange({ change, id, node_key, at, assignees, handling, ...more })
  }

  /** Excludes people who were added to those behind the run, in tasks where such people may not decide. */
  exclude(people: string[]): void {
    for (const open of this.listOpen()) {
      const { excluded, assignees } = open.intervention
      if (!excluded || people.every(name => excluded.includes(name))) continue
      const all = union(excluded, people)
      open.intervention = { ...open.intervention, excluded: all }
      this.handle(open, exclude(assignees, open.handling, all), 'excluded', now(), { excluded: all })
    }
  }

  /** Cancels the open task of a node. */
  cancel(key: string): void {
    for (const cancelled of this.withdraw(other => other === key))
      this.deps.deliver({ type: 'settled', key: cancelled, at: now(), outcome: 'stopped' })
  }

  /** Cancels the open tasks of matching nodes without emitting an event. Returns the node keys. */
  withdraw(isMeant: (key: string) => boolean): string[] {
    const meant = this.listOpen().filter(({ intervention }) => isMeant(intervention.node_key))
    return meant.map(open => {
      const { id, node_key } = open.intervention
      this.close(open, 'cancelled')
      this.deps.emitChange({ change: 'cancelled', id, node_key, at: now() })
      return node_key
    })
  }

  /** Lists the keys of nodes whose open task has votes. */
  listVoted(): string[] {
    return this.listOpen().flatMap(({ intervention, votes }) => (votes.length > 0 ? [intervention.node_key] : []))
  }

  /** Returns at most `max` open tasks, oldest first. */
  waitingFor(max = Infinity): WaitingFor[] {
    return this.listOpen().slice(0, max).map(describeWaitingFor)
  }

  /** Returns the person who decided a node's last task. */
  findDecider(key: string): string | undefined {
    return [...this.byId.values()].findLast(({ intervention }) => intervention.node_key === key)?.decision?.by
  }

  /** Returns the node key of the oldest open task. */
  firstKey(): string | undefined {
    return this.listOpen()[0]?.intervention.node_key
  }

  /** Returns open and closed tasks, so that a repeated answer still gets its reply after continue-as-new. */
  snapshot(): InterventionsState {
    return Object.fromEntries(this.byId)
  }

  get openCount(): number {
    return this.listOpen().length
  }

  private listOpen(): TimedIntervention[] {
    return [...this.byId.values()].filter(({ closed }) => !closed)
  }

  private close(open: TimedIntervention, how: NonNullable<TimedIntervention['closed']>): void {
    open.closed = how
    this.timers.get(open.intervention.id)?.cancel()
    this.timers.delete(open.intervention.id)
  }

  /**
   * Sleeps until the next reminder, escalation or due time. Only the sleep has its own scope: its consequences must
   * not stop when the task closes and the timer is cancelled.
   */
  private startTimer(open: TimedIntervention): void {
    const next = findNextMoment(open)
    if (!next) return
    const ms = Math.max(1, Date.parse(next.at) - Date.now())
    const timer = startTask(
      () => sleep(ms, { summary: `${next.type}: ${open.intervention.node_key}` }),
      outcome => {
        if ('error' in outcome && !isCancellation(outcome.error)) throw outcome.error
        if ('error' in outcome || open.closed) return
        this.fireTimer(open, next)
        this.startTimer(open)
      },
    )
    this.timers.set(open.intervention.id, timer)
  }

  private fireTimer(open: TimedIntervention, { type, at }: TimerMoment): void {
    const { intervention } = open
    const { id, node_key } = intervention
    if (type === 'reminder') {
      open.remind_at = open.remind_at.filter(time => time !== at)
      this.deps.emitChange({ change: 'reminded', id, node_key, at: now() })
      return this.deps.onChange()
    }
    if (type === 'escalation') {
      const newAssignees = open.escalate.filter(step => step.at === at).flatMap(step => step.to)
      open.escalate = open.escalate.filter(step => step.at !== at)
      const assignment = escalate(intervention.assignees, open.handling, newAssignees, this.deps.keepsEveryone)
      this.handle(open, assignment, 'escalated', now())
      return this.deps.onChange()
    }
    this.close(open, 'timed_out')
    this.deps.emitChange({ change: 'timed_out', id, node_key, at: now() })
    const error = { code: 'TIMEOUT', message: `not decided by ${at}` }
    this.deps.deliver({ type: 'failed', key: node_key, at: now(), timeout: true, error })
  }
}

interface TimerMoment {
  type: 'reminder' | 'escalation' | 'due'
  at: string
}

function findNextMoment({ intervention, remind_at, escalate, closed }: TimedIntervention): TimerMoment | undefined {
  if (closed) return undefined
  const moments: TimerMoment[] = [
    ...remind_at.map(at => ({ type: 'reminder' as const, at })),
    ...escalate.map(({ at }) => ({ type: 'escalation' as const, at })),
    ...(intervention.due_at ? [{ type: 'due' as const, at: intervention.due_at }] : []),
  ]
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))[0]
}

const pickAnswer = ({ action, comment, data, answers }: AnswerInput) => ({ action, comment, data, answers })
