import type { LoopCommand, LoopEvent, LoopState, ModelDecision, RequestedCall } from '../../../domain/agents/loop.ts'
import { advance, createLoopState } from '../../../domain/agents/loop.ts'
import type { RunLimits } from '../../../domain/agents/run-spec.ts'
import type { Choices } from './choices.ts'

type Of<T extends LoopCommand['type']> = Extract<LoopCommand, { type: T }>
export type End = Of<'finish'> | Of<'fail'>

const MAX_EVENTS = 5_000
const KINDS = ['tool', 'pathway', 'neuron', 'ask_human', 'refused'] as const
/** Includes names of object properties, and one id that looks like a list index. */
const IDS = ['constructor', '__proto__', '0', 'call']

/**
 * Plays a run of the loop to its end, with random model outputs, decisions and completion orders, and with repeated
 * and invalid events in between.
 */
export class AgentPlay {
  readonly commands: LoopCommand[] = []
  readonly decisions: ModelDecision[] = []
  /** Ids of approved calls and of declined calls. */
  readonly approved = new Set<string>()
  readonly rejected = new Set<string>()
  /** Counts how often each call ended, by id. */
  readonly settled = new Map<string, number>()
  state: LoopState
  private readonly limits: RunLimits
  private readonly decide: Choices
  /** Each decision about a higher budget. */
  readonly allowed: boolean[] = []
  private readonly told: LoopEvent[] = []
  /** Commands that still need an answer. */
  private readonly owed: LoopCommand[] = []

  constructor(limits: RunLimits, decide: Choices) {
    this.limits = limits
    this.decide = decide
    this.state = freeze(createLoopState(limits))
  }

  get ends(): End[] {
    return this.commands.filter((command): command is End => command.type === 'finish' || command.type === 'fail')
  }

  of<T extends LoopCommand['type']>(type: T): Of<T>[] {
    return this.commands.filter((command): command is Of<T> => command.type === type)
  }

  /** Valid calls that the model requested. */
  get asked(): RequestedCall[] {
    return this.decisions
      .filter(({ finish }, i) => finish === 'calls' && i < this.limits.max_steps)
      .flatMap(({ calls }) => calls.filter(({ kind }) => kind !== 'refused'))
  }

  run(): this {
    this.tell({ type: 'start' })
    for (let events = 0; this.owed.length > 0; events++) {
      if (events > MAX_EVENTS) throw new Error('the run does not end')
      if (this.decide.once(4)) this.disturb()
      else this.answer(this.decide.below(this.owed.length))
    }
    for (let i = 0; i < 10; i++) this.disturb()
    return this
  }

  /** Sends an irrelevant event, which must change nothing. */
  private disturb(): void {
    const decision = { action: this.decide.of(['approve', 'reject'] as const), by: 'user:eve' }
    const id = this.decide.of([...this.settled.keys(), 'nobody'])
    const foreign: LoopEvent[] = [
      { type: 'start' },
      { type: 'called', id },
      { type: 'decided', id, decision },
      { type: 'answered', id, output: 'again' },
      ...this.unfitting(decision),
      ...this.told.filter(({ type }) => type === 'decided' || type === 'answered').slice(-1),
    ]
    const before = this.commands.length
    this.advance(this.decide.of(foreign))
    if (this.commands.length > before) throw new Error(`it took ${JSON.stringify(this.commands.slice(before))}`)
  }

  private unfitting(decision: { action: 'approve' | 'reject'; by: string }): LoopEvent[] {
    const { phase, open } = this.state
    return [
      ...(phase === 'calling_model' ? [] : [{ type: 'model_decided' as const, decision: this.decideStep(0) }]),
      ...(phase === 'calling_model' ? [] : [{ type: 'failed' as const, error: { code: 'LATE', message: '' } }]),
      ...(phase === 'awaiting_budget' ? [] : [{ type: 'budget' as const, decision }]),
      // A call that is waiting for a person cannot end, and a call that needs no approval cannot be decided.
      ...open.map(({ id, approval }): LoopEvent =>
        approval ? { type: 'called', id } : { type: 'decided', id, decision },
      ),
      ...open.flatMap(({ id, approval }): LoopEvent[] => (approval ? [{ type: 'answered', id, output: 'early' }] : [])),
    ]
  }

  private answer(place: number): void {
    const [command] = this.owed.splice(place, 1)
    if (command) this.tell(this.eventFor(command))
  }

  private eventFor(command: LoopCommand): LoopEvent {
    const action = this.decide.of(['approve', 'reject'] as const)
    switch (command.type) {
      case 'call_model':
        if (this.decide.once(30)) return { type: 'failed', error: { code: 'MODEL_AUTH', message: 'no' } }
        return { type: 'model_decided', decision: this.decideStep(command.step) }
      case 'approve': {
        ;(action === 'approve' ? this.approved : this.rejected).add(command.call.id)
        return { type: 'decided', id: command.call.id, decision: { action, by: 'user:ann' } }
      }
      case 'call':
        if (this.decide.once(4)) return { type: 'answered', id: command.call.id, output: 'broken', is_error: true }
        return this.over(command.call)
      case 'ask':
        return { type: 'answered', id: command.call.id, output: 'blue' }
      case 'request_budget': {
        this.allowed.push(action === 'approve')
        const data = this.decide.once(2) ? { budget_usd: command.spent_usd + this.decide.below(3) } : undefined
        return { type: 'budget', decision: { action, by: 'user:ann', ...(data && { data }) } }
      }
      case 'reply':
        return this.over(command.call)
      default:
        throw new Error(`nothing answers ${command.type}`)
    }
  }

  private over({ id }: RequestedCall): LoopEvent {
    this.settled.set(id, (this.settled.get(id) ?? 0) + 1)
    return { type: 'called', id }
  }

  private decideStep(step: number): ModelDecision {
    const finish = this.decide.of(['calls', 'calls', 'calls', 'invalid', 'answer'] as const)
    const calls = finish === 'calls' ? Array.from({ length: this.decide.below(4) }, (_, i) => this.call(step, i)) : []
    const usage = { input_tokens: 1, output_tokens: 1, usd: this.decide.below(3) }
    return { finish, calls, text: `said in ${step}`, invalid: 'is no number', usage }
  }

  private call(step: number, index: number): RequestedCall {
    const kind = this.decide.of(KINDS)
    const approval = this.decide.once(3) ? { approval: { rounds: [{ assignees: [] }], pending: [0], decided: 0 } } : {}
    return { id: `${IDS[index]}${step === 1 ? '' : step}`, index, name: 'tool', kind, ...approval }
  }

  private tell(event: LoopEvent): void {
    this.told.push(event)
    if (event.type === 'model_decided') this.decisions.push(event.decision)
    this.owed.push(...this.advance(event).filter(({ type }) => type !== 'finish' && type !== 'fail'))
  }

  private advance(event: LoopEvent): LoopCommand[] {
    const wasOver = this.state.phase === 'over'
    const { state, commands } = advance(this.state, freeze(event), this.limits)
    this.state = freeze(state)
    this.commands.push(...commands)
    if (wasOver && commands.length > 0) throw new Error('something was begun after the end')
    const { spent, budget_usd } = state
    if (budget_usd !== null && spent.usd > budget_usd && commands.some(({ type }) => type === 'call_model'))
      throw new Error(`it thinks on, though it has spent ${spent.usd} of ${budget_usd}`)
    return commands
  }
}

/** Freezes a value, so that forbidden changes throw. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}
