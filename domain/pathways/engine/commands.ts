import type { Label } from '../labels/labels.ts'
import type { DecisionCovers, NodeError, Receipt } from '../../runs/nodes.ts'
import type { InterventionKind, Question } from '../../people/intervention.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../shared/json/json.ts'
import type { EffectNode, PathwayNode } from '../definition.ts'
import type { HumanNode } from '../kinds/human.ts'
import { getNodeKind } from '../kinds/index.ts'
import type { NeuronNode } from '../kinds/neuron.ts'
import type { PathwayRefNode } from '../kinds/pathway.ts'

/** The request of a human node, with rendered texts and computed times. */
export interface InterventionRequest {
  kind: InterventionKind
  title: string
  description?: string
  context?: JsonValue
  form?: JsonSchema
  questions?: Question[]
  assignees: string[]
  quorum: number
  excluded?: string[]
  due_at?: string
  remind_at: string[]
  escalate: { at: string; to: string[] }[]
}

/** Returns whether an activity executes the node. Such an activity publishes the node's milestones itself. */
export function isEffect(node: PathwayNode): node is EffectNode {
  const kind = getNodeKind(node.type)
  return kind.effect !== undefined && kind.isChildRun?.(node) !== true
}

/**
 * Work requested by the engine, with the labels of a step's output or of a child's input. `key` addresses the
 * activation; the outcome arrives as an event with the same key.
 */
export type Command =
  | { type: 'run'; key: string; node: EffectNode; with: JsonObject; labels?: Label[] }
  | { type: 'child'; key: string; node: PathwayRefNode | NeuronNode; input: JsonValue; labels?: Label[] }
  | { type: 'ask'; key: string; node: HumanNode; request: InterventionRequest }
  | { type: 'wait'; key: string; node: PathwayNode; until?: string; event?: string; deadline?: string }
  /** A time limit for a `map` or `loop`. */
  | { type: 'deadline'; key: string; node: PathwayNode; at: string }
  /** Cancels the activation; a `settled` event follows. */
  | { type: 'cancel'; key: string }
  | { type: 'compensate'; key: string; node: EffectNode; with: JsonObject }
  /** The engine reached the work limit of one call. The caller must send a `continue` event. */
  | { type: 'yield' }
  | {
      type: 'finish'
      outcome: 'completed' | 'failed' | 'cancelled'
      result?: JsonValue
      labels?: Label[]
      error?: NodeError
      receipt: Receipt
    }

/** Engine input. Times are ISO 8601; the engine has no clock. */
export type EngineEvent =
  | { type: 'start'; at: string }
  | { type: 'continue'; at: string }
  /** `covers`: what a decision covered when it was made. */
  | {
      type: 'completed'
      key: string
      at: string
      output: JsonValue
      port?: string
      labels?: Label[]
      covers?: DecisionCovers
    }
  /** `may_have_arrived`: the call was sent, but its outcome is unknown. */
  | { type: 'failed'; key: string; at: string; error: NodeError; timeout?: boolean; may_have_arrived?: boolean }
  /**
   * End of a cancelled activation. Without an earlier `cancel` command, it was cancelled externally: it fails with
   * CANCELLED unless it finished first.
   */
  | { type: 'settled'; key: string; at: string; outcome: 'stopped' | 'finished_first' | 'in_doubt'; output?: JsonValue }
  | { type: 'compensated'; key: string; at: string; error?: NodeError }
  | { type: 'cancel'; at: string }
