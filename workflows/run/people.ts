import { ApplicationFailure, isCancellation, sleep } from '@temporalio/workflow'
import { judge, type OpenIntervention, outputOf, replyTo, waitingForOf } from '../../domain/interventions.ts'
import type { AnswerReply, Intervention, InterventionChange, WaitingFor } from '../../domain/jobs.ts'
import type { Asking, EngineEvent } from '../../domain/pathway/engine/commands.ts'
import { type AnswerInput, NOT_ASKED } from './messages.ts'
import { startTask, type Task } from './scopes.ts'
import { visitId } from './visit-id.ts'

/** An intervention with what is still to happen to it by the clock. */
interface Watched extends OpenIntervention {
  remind_at: string[]
  escalate: Asking['escalate']
}

export type CarriedInterventions = Record<string, Watched>

/** What people need from the run they belong to. */
export interface PeopleDeps {
  jobId: string
  deliver(event: EngineEvent): void
  tell(change: InterventionChange): void
  /** Called after a change that delivers no event, so that it is published at once. */
  changed(): void
}

/** The open interventions of one run: who is asked, what was answered, when time runs out. */
export class People {
  private readonly deps: PeopleDeps
  private readonly all: Map<string, Watched>
  private readonly clocks = new Map<string, Task>()

  constructor(deps: PeopleDeps, carried: CarriedInterventions = {}) {
    this.deps = deps
    this.all = new Map(Object.entries(carried))
  }

  /** Asks. The clock of the asking runs until it is answered, out of time or cancelled. */
  ask({ key, node, asking }: { key: string; node: { id: string }; asking: Asking }, at: string): void {
    const { remind_at, escalate, ...shown } = asking
    const intervention: Intervention = { id: visitId(key), node_key: key, node_id: node.id, opened_at: at, ...shown }
    const open: Watched = { intervention, votes: [], remind_at, escalate }
    this.all.set(intervention.id, open)
    this.deps.tell({ change: 'opened', intervention })
    this.watch(open)
  }

  /** Starts the clocks of everything that was open before the run continued as new. */
  resumeClocks(): void {
    for (const open of this.open()) this.watch(open)
  }

  /** Throws for an answer that can't be taken, before it becomes part of history. */
  refuse(input: AnswerInput): void {
    const verdict = judge(this.all.get(input.interventionId), said(input), input.by, now())
    if (verdict.type !== 'refused') return
    throw ApplicationFailure.nonRetryable(
      verdict.message,
      this.all.has(input.interventionId) ? verdict.reason : NOT_ASKED,
    )
  }

  /** Takes an answer. Two answers can pass the check above in one go, so the second is judged again here. */
  answer(input: AnswerInput): AnswerReply {
    this.refuse(input)
    const open = this.all.get(input.interventionId)
    const verdict = judge(open, said(input), input.by, now())
    if (!open || verdict.type === 'refused') throw ApplicationFailure.nonRetryable('no such intervention', NOT_ASKED)
    if (verdict.type === 'counted') this.count(open, verdict)
    return replyTo(this.deps.jobId, open, verdict.vote)
  }

  private count(open: Watched, { vote, decided }: { vote: Watched['votes'][number]; decided: boolean }): void {
    const { id, node_key } = open.intervention
    open.votes.push(vote)
    if (decided) open.decision = vote
    this.deps.tell({ change: 'answered', id, vote, decided, decision: open.decision })
    if (!decided) return this.deps.changed()
    this.close(open, 'decided')
    this.deps.deliver({ type: 'completed', key: node_key, at: vote.at, output: outputOf(vote), port: vote.action })
  }

  /** The node no longer matters: its asking is withdrawn. */
  withdraw(key: string): void {
    for (const open of this.open()) {
      if (open.intervention.node_key !== key) continue
      this.close(open, 'cancelled')
      this.deps.tell({ change: 'cancelled', id: open.intervention.id, at: now() })
      this.deps.deliver({ type: 'settled', key, at: now(), outcome: 'stopped' })
    }
  }

  /** At most so many of the open ones, oldest first. */
  waitingFor(most = Infinity): WaitingFor[] {
    return this.open().slice(0, most).map(waitingForOf)
  }

  /** The key of what was asked first and is not answered. */
  firstKey(): string | undefined {
    return this.open()[0]?.intervention.node_key
  }

  /** What continue-as-new takes along: the open ones, and the decided, so a repeated answer gets its reply. */
  carry(): CarriedInterventions {
    return Object.fromEntries(this.all)
  }

  get openCount(): number {
    return this.open().length
  }

  private open(): Watched[] {
    return [...this.all.values()].filter(({ closed }) => !closed)
  }

  private close(open: Watched, how: NonNullable<Watched['closed']>): void {
    open.closed = how
    this.clocks.get(open.intervention.id)?.cancel()
    this.clocks.delete(open.intervention.id)
  }

  /**
   * Waits for the next of reminders, escalations and the due time. Only the wait is in a scope of its own: what follows
   * from it must go on when the intervention is closed and its clock cancelled.
   */
  private watch(open: Watched): void {
    const next = nextMoment(open)
    if (!next) return
    const ms = Math.max(1, Date.parse(next.at) - Date.now())
    const clock = startTask(
      () => sleep(ms, { summary: `${next.what}: ${open.intervention.node_key}` }),
      outcome => {
        if ('error' in outcome && !isCancellation(outcome.error)) throw outcome.error
        if ('error' in outcome || open.closed) return
        this.happen(open, next)
        this.watch(open)
      },
    )
    this.clocks.set(open.intervention.id, clock)
  }

  private happen(open: Watched, { what, at }: Moment): void {
    const { intervention } = open
    if (what === 'reminder') {
      open.remind_at = open.remind_at.filter(time => time !== at)
      this.deps.tell({ change: 'reminded', id: intervention.id, at: now() })
      return this.deps.changed()
    }
    if (what === 'escalation') {
      const added = open.escalate.filter(step => step.at === at).flatMap(step => step.to)
      open.escalate = open.escalate.filter(step => step.at !== at)
      const assignees = [...new Set([...intervention.assignees, ...added])]
      open.intervention = { ...intervention, assignees }
      this.deps.tell({ change: 'escalated', id: intervention.id, at: now(), assignees })
      return this.deps.changed()
    }
    this.close(open, 'timed_out')
    this.deps.tell({ change: 'timed_out', id: intervention.id, at: now() })
    const error = { code: 'TIMEOUT', message: `nobody answered until ${at}` }
    this.deps.deliver({ type: 'failed', key: intervention.node_key, at: now(), timeout: true, error })
  }
}

interface Moment {
  what: 'reminder' | 'escalation' | 'due'
  at: string
}

function nextMoment({ intervention, remind_at, escalate, closed }: Watched): Moment | undefined {
  if (closed) return undefined
  const moments: Moment[] = [
    ...remind_at.map(at => ({ what: 'reminder' as const, at })),
    ...escalate.map(({ at }) => ({ what: 'escalation' as const, at })),
    ...(intervention.due_at ? [{ what: 'due' as const, at: intervention.due_at }] : []),
  ]
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))[0]
}

const now = (): string => new Date().toISOString()
const said = ({ action, comment, data, answers }: AnswerInput) => ({ action, comment, data, answers })
