import type { NodeError } from '../jobs.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { PathwayDefinition } from './definition.ts'
import { mockedAnswerProblem } from './dry-run-outputs.ts'
import { splitKey } from './engine/address.ts'
import type { InterventionRequest, Command, EngineEvent } from './engine/commands.ts'
import { next, type Step } from './engine/next.ts'
import { type EngineState, initialState } from './engine/state.ts'
import { compileGraph } from './graph.ts'

/** One node of a dry run, in the order nodes began. */
export interface DryRunStep {
  key: string
  node_id: string
  type: string
  status: string
  port?: string
  /** What the node would have been given. */
  with?: JsonValue
  output?: JsonValue
  error?: NodeError
}

export interface DryRunReport {
  steps: DryRunStep[]
  status: 'completed' | 'failed' | 'waiting'
  result?: JsonValue
  error?: NodeError
  /** What the walk stopped at, because no mocked output was given for it. */
  needs: { key: string; node_id: string; type: string }[]
}

export interface DryRunRequest {
  input?: JsonValue
  /**
   * Mocked outputs by key (`each[0]/fetch`) or node id. `{"$error": {code, message}}` makes the node fail,
   * `{"$timeout": true}` lets its time run out. A human node's output is the answer: `{"action": "approve"}`.
   */
  outputs?: Record<string, JsonValue>
}

/** Nodes begun and work units of expressions in one dry run: it answers a request, and nobody else's waits for it. */
const MAX_VISITS = 10_000
const MAX_WORK = 8_000_000
const TOO_LONG: Finish = {
  type: 'finish',
  outcome: 'failed',
  error: {
    code: 'TOO_MANY_STEPS',
    message: `a dry run must visit at most ${MAX_VISITS} nodes and compute for at most about a second`,
  },
  receipt: [],
}

type Finish = Extract<Command, { type: 'finish' }>

const AT = '2000-01-01T00:00:00.000Z'

/** Walks the graph with mocked outputs and says what would run. Pure: nothing is started, waits take no time. */
export function dryRun(definition: PathwayDefinition, request: DryRunRequest): DryRunReport {
  return new Walk(definition, request).report()
}

class Walk {
  private readonly steps = new Map<string, DryRunStep>()
  private readonly needs: DryRunReport['needs'] = []
  private readonly graph: ReturnType<typeof compileGraph>
  private readonly outputs: Record<string, JsonValue>
  private state: EngineState
  private end: Finish | undefined

  constructor(definition: PathwayDefinition, request: DryRunRequest) {
    this.graph = compileGraph(definition)
    this.outputs = request.outputs ?? {}
    this.state = initialState(request.input ?? null, { id: 'dry-run', requester: 'dry-run' })
    this.walk()
  }

  report(): DryRunReport {
    const { end } = this
    return {
      steps: [...this.steps.values()],
      status: end ? (end.outcome === 'completed' ? 'completed' : 'failed') : 'waiting',
      result: end?.result,
      error: end?.error,
      needs: end ? [] : this.needs,
    }
  }

  private walk(): void {
    const events: EngineEvent[] = [{ type: 'start', at: AT }]
    for (let event = events.shift(); event && !this.end; event = events.shift()) {
      const step = next(this.graph, this.state, event)
      this.state = step.state
      this.note(step)
      events.push(...step.commands.flatMap(command => this.answer(command)))
      if (!this.end && this.isTooLong()) this.end = TOO_LONG
    }
  }

  private isTooLong(): boolean {
    return this.state.visits > MAX_VISITS || this.graph.meter.spent > MAX_WORK
  }

  private note({ milestones }: Step): void {
    for (const { key, node_id, node_type, status, port, output, error } of milestones) {
      const known = this.steps.get(key)
      this.steps.set(key, {
        ...known,
        key,
        node_id,
        type: node_type,
        status,
        port,
        output: output ?? known?.output,
        error,
      })
    }
  }

  private answer(command: Command): EngineEvent[] {
    switch (command.type) {
      case 'finish':
        this.end = command
        return []
      case 'yield':
        return [{ type: 'continue', at: AT }]
      case 'cancel':
        return [{ type: 'settled', key: command.key, at: AT, outcome: 'stopped' }]
      case 'undo':
        return [{ type: 'undone', key: command.key, at: AT }]
      case 'deadline':
        return []
      case 'wait':
        return this.mocked(command.key) ?? [this.completed(command.key, { at: command.until ?? AT })]
      default:
        return this.effect(command)
    }
  }

  private effect(command: Extract<Command, { type: 'run' | 'child' | 'ask' }>): EngineEvent[] {
    const step = this.steps.get(command.key)
    if (step && command.type === 'run') step.with = command.with
    if (step && command.type === 'child') step.with = command.input
    if (step && command.type === 'ask') step.with = JSON.parse(JSON.stringify(command.request)) as JsonValue
    const events = this.mocked(command.key, command.type === 'ask' ? command.request : undefined)
    if (!events) this.needs.push({ key: command.key, node_id: command.node.id, type: command.node.type })
    return events ?? []
  }

  /** Returns the events of the mock for a key. `request` is set for human nodes: the mock must answer it. */
  private mocked(key: string, request?: InterventionRequest): EngineEvent[] | undefined {
    const mock = this.outputs[key] ?? this.outputs[splitKey(key).nodeId]
    if (mock === undefined) return undefined
    if (isObject(mock) && mock.$timeout === true) return [failed(key, 'TIMEOUT', 'timed out', true)]
    if (isObject(mock) && isObject(mock.$error)) {
      const { code, message } = mock.$error
      return [failed(key, textOf(code) ?? 'ERROR', textOf(message) ?? 'mocked')]
    }
    const problem = request && mockedAnswerProblem(request, isObject(mock) ? mock : {})
    if (problem !== undefined) return [failed(key, 'INVALID_INPUT', problem)]
    const step = this.steps.get(key)
    if (step) step.output = mock
    return [this.completed(key, mock, request && isObject(mock) ? textOf(mock.action) : undefined)]
  }

  private completed(key: string, output: JsonValue, port?: string): EngineEvent {
    return { type: 'completed', key, at: AT, output, port }
  }
}

const failed = (key: string, code: string, message: string, timeout?: boolean): EngineEvent => ({
  type: 'failed',
  key,
  at: AT,
  timeout,
  error: { code, message },
})

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
