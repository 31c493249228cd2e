import type { ChildWorkflowHandle } from '@temporalio/workflow'
import type { Workflow } from '@temporalio/common'
import type { NodeError } from '../../../domain/runs/nodes.ts'
import type { ChildResult } from '../../../domain/runs/run-records.ts'
import { type ChildState, joinSignal, pauseSignal, resumeSignal } from '../run/messages.ts'
import type { UnpublishedUpdates } from '../view/projection-buffer.ts'
import { startTask, type Task, type TaskOutcome } from '../scopes.ts'

export type ChildHandle = ChildWorkflowHandle<Workflow>

export interface CommandExecutorDeps<Event> {
  deliver(event: Event): void
  /** Returns the unpublished updates, for an activity to carry. */
  takeUnpublished(): UnpublishedUpdates
}

/** Runs the tasks of a run, each in its own cancellation scope, and delivers their events. */
export abstract class CommandExecutor<Event, Deps extends CommandExecutorDeps<Event> = CommandExecutorDeps<Event>> {
  /** Activities and children in flight. Continue-as-new waits until there are none. */
  inFlight = 0
  /** First failed attempt of nodes that are being retried, by key. */
  readonly retries: ReadonlyMap<string, NodeError> = new Map()
  /** States of waiting child runs, by key. */
  readonly childStates = new Map<string, ChildState>()
  protected readonly deps: Deps
  private readonly tasks = new Map<string, Task>()
  private readonly children = new Map<string, ChildHandle>()
  /**
   * People who have joined since the run started. A child run that is just starting may not know about the latest of
   * them.
   */
  private readonly joined: string[] = []

  constructor(deps: Deps) {
    this.deps = deps
  }

  /** Number of activities in flight plus the number of child runs that are starting. */
  get activitiesInFlight(): number {
    return this.inFlight - this.children.size
  }

  get hasChildren(): boolean {
    return this.children.size > 0
  }

  /** Number of child runs that do nothing but wait. */
  get waitingChildren(): number {
    let count = 0
    for (const { isWaiting } of this.childStates.values()) if (isWaiting) count++
    return count
  }

  /** Stops the task with a key. Returns false if there is none. */
  cancel(key: string): boolean {
    const task = this.tasks.get(key)
    task?.cancel()
    return task !== undefined
  }

  cancelAll(): void {
    for (const task of this.tasks.values()) task.cancel()
  }

  /** Stops the task with a key without emitting an event. */
  drop(key: string): void {
    const task = this.tasks.get(key)
    this.tasks.delete(key)
    task?.cancel()
  }

  async pauseChildren(by: string, paused: boolean): Promise<void> {
    const signal = paused ? pauseSignal : resumeSignal
    await Promise.allSettled([...this.children.values()].map(child => child.signal(signal, { by })))
  }

  /** Notifies the child runs that more people are behind the run. */
  async joinChildren(people: string[]): Promise<void> {
    this.joined.push(...people)
    await Promise.allSettled([...this.children.values()].map(child => child.signal(joinSignal, { people })))
  }

  /** Starts an activity or a child run. `toFailure` converts its error to an event, or throws. */
  protected start(key: string, work: () => Promise<Event>, toFailure: (error: unknown) => Event): void {
    this.inFlight++
    this.startTask(key, work, outcome => {
      this.inFlight--
      return 'error' in outcome ? toFailure(outcome.error) : outcome.value
    })
  }

  protected startTask<T>(key: string, work: () => Promise<T>, toEvent: (outcome: TaskOutcome<T>) => Event): void {
    const task = startTask(work, outcome => {
      const event = toEvent(outcome)
      if (this.tasks.delete(key)) this.deps.deliver(event)
    })
    this.tasks.set(key, task)
  }

  /** Starts a child run and returns its result. */
  protected async runChild(key: string, start: () => Promise<ChildHandle>): Promise<ChildResult> {
    const joinedCount = this.joined.length
    const handle = await start()
    this.children.set(key, handle)
    try {
      const people = this.joined.slice(joinedCount)
      if (people.length > 0) await handle.signal(joinSignal, { people }).catch(() => undefined)
      return (await handle.result()) as ChildResult
    } finally {
      this.children.delete(key)
      this.childStates.delete(key)
    }
  }
}
