import type { InterventionKind, NodeError, Question, Receipt } from '../../jobs.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../json.ts'
import type {
  HttpNode,
  HumanNode,
  NeuronNode,
  PathwayNode,
  PathwayRefNode,
  SearchNode,
  ToolNode,
  TranscribeNode,
} from '../definition.ts'
import { kindOf } from '../kinds/index.ts'

/** The request of a human node, with expressions in its texts evaluated and its times fixed. */
export interface InterventionRequest {
  kind: InterventionKind
  title: string
  description?: string
  context?: JsonValue
  form?: JsonSchema
  questions?: Question[]
  assignees: string[]
  quorum: number
  excluded?: string
  due_at?: string
  remind_at: string[]
  escalate: { at: string; to: string[] }[]
}

/** Nodes that an activity carries out. */
export type EffectNode = HttpNode | NeuronNode | SearchNode | ToolNode | TranscribeNode

/** Whether an activity carries the node out, which tells of it by itself. */
export function isEffect(node: PathwayNode): node is EffectNode {
  const kind = kindOf(node.type)
  return kind.effect !== undefined && kind.isChildRun?.(node) !== true
}

/** What the engine wants done. `key` addresses the visit; the answer comes back as an event with the same key. */
export type Command =
  | { type: 'run'; key: string; node: EffectNode; with: JsonObject }
  | { type: 'child'; key: string; node: PathwayRefNode | NeuronNode; input: JsonValue }
  | { type: 'ask'; key: string; node: HumanNode; request: InterventionRequest }
  | { type: 'wait'; key: string; node: PathwayNode; until?: string; event?: string; deadline?: string }
  /** A time limit on a `map` or `loop`. */
  | { type: 'deadline'; key: string; node: PathwayNode; at: string }
  /** Stop what was started under this key; a `settled` event follows. */
  | { type: 'cancel'; key: string }
  | { type: 'undo'; key: string; node: EffectNode; with: JsonObject }
  /** Enough was computed in one go: come back with a `continue` event. */
  | { type: 'yield' }
  | {
      type: 'finish'
      outcome: 'completed' | 'failed' | 'cancelled'
      result?: JsonValue
      error?: NodeError
      receipt: Receipt
    }

/** What has happened. Times are ISO 8601; the engine has no clock of its own. */
export type EngineEvent =
  | { type: 'start'; at: string }
  | { type: 'continue'; at: string }
  | { type: 'completed'; key: string; at: string; output: JsonValue; port?: string }
  | { type: 'failed'; key: string; at: string; error: NodeError; timeout?: boolean }
  /**
   * The end of something that was told to stop. `outcome` says what is known of it. When it was not told, others stopped
   * it: it has failed as CANCELLED, unless it was done first.
   */
  | { type: 'settled'; key: string; at: string; outcome: 'stopped' | 'finished_first' | 'in_doubt'; output?: JsonValue }
  | { type: 'undone'; key: string; at: string; error?: NodeError }
  | { type: 'cancel'; at: string }
