import { ACTIONS } from '../../../domain/people/intervention.ts'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import type { Command, EngineEvent } from '../../../domain/pathways/engine/commands.ts'
import { mayHaveSideEffects } from '../../../domain/pathways/engine/compensation.ts'
import { next, measureProgress, type EngineResult } from '../../../domain/pathways/engine/next.ts'
import type { EngineState } from '../../../domain/pathways/engine/state.ts'
import type { Choices } from './choices.ts'
import { AT, type Begun, digest, outputOf, EngineHarness } from './engine-harness.ts'

/** How the environment of a run behaves. */
export interface RunProfile {
  /** Effects fail, time limits expire and compensations fail. */
  failures: boolean
  /** The run is cancelled once in `cancelIn` steps on average. 0 means never. */
  cancelIn: number
  /** Events are delivered more than once. */
  repeats: boolean
}

export const INPUT = { list: [1, 2, 3], flags: [true, false], amount: 10, note: 'a' }
const MAX_STEPS = 3_000

/** Plays a run to its end, with random answers and timing, and checks each step. */
export class RandomRun extends EngineHarness {
  /** Keys of completed nodes with a compensation, in completion order. */
  readonly done: string[] = []
  /** Keys of stopped commands, except time limits, and keys of calls with an unknown outcome. */
  readonly stopped: string[] = []
  readonly begun = new Set<string>()
  isCancelled = false
  private readonly decide: Choices
  private readonly profile: RunProfile
  private readonly told: EngineEvent[] = []
  private progress = 0
  private written: string

  constructor(definition: PathwayDefinition, decide: Choices, profile: RunProfile) {
    super(definition, INPUT)
    this.decide = decide
    this.profile = profile
    freeze(this.state)
    this.written = JSON.stringify(this.state)
  }

  run(): this {
    this.tell({ type: 'start', at: AT })
    for (let steps = 0; !this.isSettled; steps++) {
      if (steps > MAX_STEPS) throw new Error('the run does not end')
      this.step()
    }
    return this
  }

  /** Plays the run until a condition holds. */
  runUntil(isOver: () => boolean): this {
    this.tell({ type: 'start', at: AT })
    while (!this.isSettled && !isOver()) this.step()
    return this
  }

  private get isSettled(): boolean {
    return this.end !== undefined && this.open.size === 0 && this.undoing.length === 0
  }

  private step(): void {
    const { cancelIn, repeats } = this.profile
    if (repeats && this.decide.once(6))
      return this.tell(this.decide.of(this.decide.once(2) ? this.told : this.told.slice(-1)))
    if (cancelIn > 0 && this.decide.once(cancelIn)) return this.tell({ type: 'cancel', at: AT })
    const possible = this.possible()
    if (possible.length === 0) throw new Error(`nothing can happen any more, and the run has not ended`)
    this.tell(this.decide.of(possible)())
  }

  /** Returns the possible next events. A time limit alone never keeps a run open. */
  private possible(): (() => EngineEvent)[] {
    const waiting = [...this.open.values()].filter(({ type }) => this.profile.failures || type !== 'deadline')
    return [
      ...(this.yields > 0 ? [(): EngineEvent => ({ type: 'continue', at: AT })] : []),
      ...waiting.map(command => () => this.answer(command)),
      ...this.undoing.map(command => (): EngineEvent => {
        const error = this.profile.failures && this.decide.once(4) ? { code: 'BAD', message: 'no' } : undefined
        return { type: 'compensated', key: command.key, at: AT, error }
      }),
    ]
  }

  private answer(command: Begun): EngineEvent {
    const { key } = command
    if (this.cancelled.has(key) && !this.decide.once(4)) return this.settled(key)
    if (command.type === 'deadline') return this.failure(key, true)
    if (this.profile.failures && this.decide.once(5)) return this.failure(key, this.decide.once(2))
    if (this.profile.failures && this.decide.once(20)) return this.settled(key)
    const port =
      command.type === 'ask' ? ACTIONS[command.node.kind][digest(key) % ACTIONS[command.node.kind].length] : undefined
    return { type: 'completed', key, at: AT, output: outputOf(key), port }
  }

  private settled(key: string): EngineEvent {
    const outcome = this.decide.of(['stopped', 'finished_first', 'in_doubt'] as const)
    const output = outcome === 'finished_first' ? outputOf(key) : undefined
    return { type: 'settled', key, at: AT, outcome, output }
  }

  private failure(key: string, timeout: boolean): EngineEvent {
    const error = { code: timeout ? 'TIMEOUT' : 'BAD', message: 'no' }
    return { type: 'failed', key, at: AT, error, timeout, may_have_arrived: timeout }
  }

  private tell(event: EngineEvent): void {
    this.notice(event)
    this.told.push(event)
    if (event.type === 'cancel') this.isCancelled = true
    const step = this.deliver(event)
    freeze(step.state)
    for (const command of step.commands) this.check(command)
    this.checkProgress()
    this.checkPlainJson(event, step)
  }

  /** Records completed nodes with a compensation, and calls in doubt, at the first event about them. */
  private notice(event: EngineEvent): void {
    if (!('key' in event) || event.type === 'compensated' || !this.open.has(event.key)) return
    const isDone = event.type === 'completed' || (event.type === 'settled' && event.outcome === 'finished_first')
    const command = this.open.get(event.key)
    if (isDone && command?.node.compensate !== undefined) this.done.push(event.key)
    const isUnknown = event.type === 'settled' ? !isDone : event.type === 'failed' && event.may_have_arrived
    if (isUnknown && command && !this.cancelled.has(event.key) && mayHaveSideEffects(command.node))
      this.stopped.push(event.key)
  }

  private check(command: Command): void {
    if (command.type === 'cancel' && this.cancelled.has(command.key)) this.stopped.push(command.key)
    if (
      command.type === 'compensate' ||
      command.type === 'yield' ||
      command.type === 'finish' ||
      command.type === 'cancel'
    )
      return
    if (this.isCancelled) throw new Error(`${command.key} began after the cancel`)
    if (this.begun.has(command.key)) throw new Error(`${command.key} began twice`)
    this.begun.add(command.key)
  }

  private checkProgress(): void {
    const { done, total } = measureProgress(this.graph, this.state)
    if (done > total) throw new Error(`progress ${done} of ${total}`)
    if (done < this.progress) throw new Error(`progress went back from ${this.progress} to ${done}`)
    this.progress = done
  }

  /** Checks that the state survives serialization: the same step must then lead to the same result. */
  private checkPlainJson(event: EngineEvent, step: EngineResult): void {
    const again = next(this.graph, JSON.parse(this.written) as EngineState, event)
    this.written = JSON.stringify(step.state)
    if (JSON.stringify(again.state) !== this.written) throw new Error('another state after a JSON round trip')
    if (JSON.stringify(again.commands) !== JSON.stringify(step.commands)) {
      throw new Error('other commands after a JSON round trip')
    }
  }
}

/** Freezes deeply, and skips parts that are already frozen. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}
