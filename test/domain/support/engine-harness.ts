import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import { splitKey } from '../../../domain/pathways/engine/node-keys.ts'
import type { Command, EngineEvent } from '../../../domain/pathways/engine/commands.ts'
import { next, type EngineResult } from '../../../domain/pathways/engine/next.ts'
import { type EngineState, createInitialState } from '../../../domain/pathways/engine/state.ts'
import { compileGraph, type Graph, type Pins } from '../../../domain/pathways/graph.ts'

export type Begun = Extract<Command, { type: 'run' | 'child' | 'ask' | 'wait' | 'deadline' }>
export type Undoing = Extract<Command, { type: 'compensate' }>
export type End = Extract<Command, { type: 'finish' }>

export const AT = '2024-01-01T00:00:00.000Z'

const isBegun = (command: Command): command is Begun =>
  ['run', 'child', 'ask', 'wait', 'deadline'].includes(command.type)

/** Acts as the workflow, and stores commands, including unanswered ones. */
export class EngineHarness {
  readonly graph: Graph
  /** Unanswered commands, by key. */
  readonly open = new Map<string, Begun>()
  /** Keys of commands that were cancelled. */
  readonly cancelled = new Set<string>()
  readonly undoing: Undoing[] = []
  readonly commands: Command[] = []
  readonly milestones: NodeMilestone[] = []
  yields = 0
  end: End | undefined
  state: EngineState

  constructor(definition: PathwayDefinition, input: JsonValue = null, pins?: Pins) {
    this.graph = compileGraph(definition, { pins })
    this.state = createInitialState(input, { id: 'run', requester: 'user:ann', people: ['user:ann'] })
  }

  start(): EngineResult {
    return this.deliver({ type: 'start', at: AT })
  }

  deliver(event: EngineEvent): EngineResult {
    if (event.type === 'continue') this.yields--
    if ('key' in event) this.answered(event.key)
    const step = next(this.graph, this.state, event)
    this.state = step.state
    for (const command of step.commands) this.take(command)
    this.milestones.push(...step.milestones)
    return step
  }

  complete(key: string, output: JsonValue = {}, port?: string): EngineResult {
    return this.deliver({ type: 'completed', key, at: AT, output, port })
  }

  fail(key: string, code = 'BAD', timeout = false): EngineResult {
    return this.deliver({ type: 'failed', key, at: AT, error: { code, message: 'no' }, timeout })
  }

  settle(
    key: string,
    outcome: 'stopped' | 'finished_first' | 'in_doubt' = 'stopped',
    output?: JsonValue,
  ): EngineResult {
    return this.deliver({ type: 'settled', key, at: AT, outcome, output })
  }

  cancel(): EngineResult {
    return this.deliver({ type: 'cancel', at: AT })
  }

  undone(key: string, code?: string): EngineResult {
    return this.deliver({
      type: 'compensated',
      key,
      at: AT,
      error: code === undefined ? undefined : { code, message: 'no' },
    })
  }

  /** The keys of open commands, in start order. */
  get keys(): string[] {
    return [...this.open.keys()]
  }

  statusOf(key: string): string | undefined {
    return this.milestones.findLast(milestone => milestone.key === key)?.status
  }

  private answered(key: string): void {
    this.open.delete(key)
    this.cancelled.delete(key)
    const undoing = this.undoing.findIndex(command => command.key === key)
    if (undoing >= 0) this.undoing.splice(undoing, 1)
  }

  private take(command: Command): void {
    this.commands.push(command)
    if (isBegun(command)) this.open.set(command.key, command)
    if (command.type === 'cancel') this.stop(command.key)
    if (command.type === 'compensate') this.undoing.push(command)
    if (command.type === 'yield') this.yields++
    if (command.type === 'finish') this.end = command
  }

  /** A time limit ends immediately. Every other command still has to report its end. */
  private stop(key: string): void {
    if (this.open.get(key)?.type === 'deadline') this.open.delete(key)
    else this.cancelled.add(key)
  }
}

/** Returns the output of a node. It is the same for the same key in every order. */
export const outputOf = (key: string): JsonValue => ({ n: digest(key) % 10, id: splitKey(key).nodeId })

/** Returns a small hash of a text. */
export const digest = (text: string): number =>
  Array.from(text).reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 9_973, 7)
