import type { NodeError } from '../runs/nodes.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json/json.ts'
import type { PathwayDefinition } from './definition.ts'
import { findMockProblem } from './dry-run-outputs.ts'
import { splitKey } from './engine/node-keys.ts'
import type { InterventionRequest, Command, EngineEvent } from './engine/commands.ts'
import { next, type EngineResult } from './engine/next.ts'
import { type EngineState, createInitialState } from './engine/state.ts'
import { compileGraph } from './graph.ts'

/** One activation in a dry run. Steps are listed in start order. */
export interface DryRunStep {
  key: string
  node_id: string
  type: string
  status: string
  port?: string
  /** The input that the node would receive. */
  with?: JsonValue
  output?: JsonValue
  error?: NodeError
}

export interface DryRunReport {
  steps: DryRunStep[]
  status: 'completed' | 'failed' | 'waiting'
  result?: JsonValue
  error?: NodeError
  /** Activations at which the dry run stopped, because they have no mocked output. */
  needs: { key: string; node_id: string; type: string }[]
}

export interface DryRunRequest {
  input?: JsonValue
  /**
   * Mocked outputs by key (`each[0]/fetch`) or node id. For a human node, the mock is the answer: `{"action":
   * "approve"}`. `{"$error": {code, message}}` makes the node fail; `{"$timeout": true}` makes it time out.
   */
  outputs?: Record<string, JsonValue>
}

/** Limits for a dry run, because it is computed within one request. */
const MAX_ACTIVATIONS = 10_000
const MAX_WORK = 8_000_000
const TOO_MANY_STEPS: Finish = {
  type: 'finish',
  outcome: 'failed',
  error: {
    code: 'TOO_MANY_STEPS',
    message: `a dry run may start at most ${MAX_ACTIVATIONS} nodes and run for about one second`,
  },
  receipt: [],
}

type Finish = Extract<Command, { type: 'finish' }>

const AT = '2000-01-01T00:00:00.000Z'
/** Requester of the run. Also the person who answers if a mocked answer names no one. */
const REQUESTER = 'dry-run'

/** Runs the engine with mocked outputs. Pure: executes nothing, and waits take no time. */
export function dryRun(definition: PathwayDefinition, request: DryRunRequest): DryRunReport {
  return new DryRun(definition, request).report()
}

class DryRun {
  private readonly steps = new Map<string, DryRunStep>()
  private readonly needs: DryRunReport['needs'] = []
  private readonly graph: ReturnType<typeof compileGraph>
  private readonly outputs: Record<string, JsonValue>
  private state: EngineState
  private end: Finish | undefined

  constructor(definition: PathwayDefinition, request: DryRunRequest) {
    this.graph = compileGraph(definition)
    this.outputs = request.outputs ?? {}
    this.state = createInitialState(request.input ?? null, { id: 'dry-run', requester: REQUESTER, people: [REQUESTER] })
    this.run()
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

  private run(): void {
    const events: EngineEvent[] = [{ type: 'start', at: AT }]
    for (let event = events.shift(); event && !this.end; event = events.shift()) {
      const result = next(this.graph, this.state, event)
      this.state = result.state
      this.recordSteps(result)
      events.push(...result.commands.flatMap(command => this.handleCommand(command)))
      if (!this.end && this.isTooLong()) this.end = TOO_MANY_STEPS
    }
  }

  private isTooLong(): boolean {
    return this.state.activations > MAX_ACTIVATIONS || this.graph.meter.spent > MAX_WORK
  }

  private recordSteps({ milestones }: EngineResult): void {
    for (const { key, node_id, node_type, status, port, output, error } of milestones) {
      const existingStep = this.steps.get(key)
      this.steps.set(key, {
        ...existingStep,
        key,
        node_id,
        type: node_type,
        status,
        port,
        output: output ?? existingStep?.output,
        error,
      })
    }
  }

  private handleCommand(command: Command): EngineEvent[] {
    switch (command.type) {
      case 'finish':
        this.end = command
        return []
      case 'yield':
        return [{ type: 'continue', at: AT }]
      case 'cancel':
        return [{ type: 'settled', key: command.key, at: AT, outcome: 'stopped' }]
      case 'compensate':
        return [{ type: 'compensated', key: command.key, at: AT }]
      case 'deadline':
        return []
      case 'wait':
        return this.toMockEvents(command.key) ?? [this.toCompletedEvent(command.key, { at: command.until ?? AT })]
      default:
        return this.handleEffect(command)
    }
  }

  private handleEffect(command: Extract<Command, { type: 'run' | 'child' | 'ask' }>): EngineEvent[] {
    const step = this.steps.get(command.key)
    if (step && command.type === 'run') step.with = command.with
    if (step && command.type === 'child') step.with = command.input
    if (step && command.type === 'ask') step.with = JSON.parse(JSON.stringify(command.request)) as JsonValue
    const events = this.toMockEvents(command.key, command.type === 'ask' ? command.request : undefined)
    if (!events) this.needs.push({ key: command.key, node_id: command.node.id, type: command.node.type })
    return events ?? []
  }

  /** Returns the mocked events for a key. `request` is set for human nodes; the mock must be a valid answer to it. */
  private toMockEvents(key: string, request?: InterventionRequest): EngineEvent[] | undefined {
    const mock = this.outputs[key] ?? this.outputs[splitKey(key).nodeId]
    if (mock === undefined) return undefined
    if (isJsonObject(mock) && mock.$timeout === true) return [createFailedEvent(key, 'TIMEOUT', 'timed out', true)]
    if (isJsonObject(mock) && isJsonObject(mock.$error)) {
      const { code, message } = mock.$error
      return [createFailedEvent(key, asString(code) ?? 'ERROR', asString(message) ?? 'mocked')]
    }
    const problem = request && findMockProblem(request, isJsonObject(mock) ? mock : {})
    if (problem !== undefined) return [createFailedEvent(key, 'INVALID_INPUT', problem)]
    const answer: JsonObject | undefined =
      request && isJsonObject(mock) ? { by: REQUESTER, at: AT, ...mock } : undefined
    const output = answer ?? mock
    const step = this.steps.get(key)
    if (step) step.output = output
    return [this.toCompletedEvent(key, output, asString(answer?.action))]
  }

  private toCompletedEvent(key: string, output: JsonValue, port?: string): EngineEvent {
    return { type: 'completed', key, at: AT, output, port }
  }
}

const createFailedEvent = (key: string, code: string, message: string, timeout?: boolean): EngineEvent => ({
  type: 'failed',
  key,
  at: AT,
  timeout,
  error: { code, message },
})

const asString = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
