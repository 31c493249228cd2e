import type { PlacedExpression } from '../expressions/template.ts'
import { joinLabels, type Label, type Labels } from '../labels/labels.ts'
import { markAsData } from '../labels/marked-data.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import { hashJson } from '../decisions/hash-json.ts'
import { type FlowScope, labelAllReads, labelRead } from '../flow/label-reads.ts'
import { evaluateBinding } from './expression-scope.ts'
import { listEnclosingFrames, splitKey } from './node-keys.ts'
import type { EngineState } from './state.ts'
import type { Transition } from './transition.ts'

/** Stores the labels that a node's future output inherits from its inputs. */
export function labelNode(transition: Transition, key: string): void {
  const { node, kind } = transition.node(key)
  const read = kind.isOpaque ? [] : labelInput(transition, key)
  const labels = joinLabels(kind.labels?.(node), read)
  if (labels.length > 0) transition.setNode(key, { status: 'active', labels })
}

/** Returns the labels of a node's inputs. */
export const labelInput = (transition: Transition, key: string): Label[] =>
  labelAllReads(transition.node(key), createFlowScope(transition.state, splitKey(key).frameId))

/** Evaluates a binding and marks untrusted values in its strings as data. Throws ExpressionError. */
export function evaluateMarked(
  transition: Transition,
  key: string,
  at: string,
  isMarked: (expression: PlacedExpression) => boolean,
): { value: JsonValue; boundary?: string } {
  const { state } = transition
  const reader = transition.node(key)
  const { frameId } = splitKey(key)
  const scope = createFlowScope(state, frameId)
  const value = evaluateBinding(state, frameId, reader, at)
  if (labelAllReads(reader, scope).length === 0) return { value }
  const isUntrusted = ({ paths }: PlacedExpression) => paths.some(path => labelRead(reader, path, scope).length > 0)
  // A value cannot contain its own hash, so no text in it contains the boundary.
  const boundary = hashJson(value).slice(0, 16)
  let hasMarks = false
  const marked = evaluateBinding(state, frameId, reader, at, {}, (text, expression) => {
    if (!isMarked(expression) || !isUntrusted(expression)) return text
    hasMarks = true
    return markAsData(text, boundary)
  })
  return hasMarks ? { value: marked, boundary } : { value }
}

function createFlowScope(state: EngineState, frameId: string): FlowScope {
  const chain = listEnclosingFrames(frameId)
  const first = (find: (frameId: string) => Labels | undefined) =>
    chain.map(find).find(labels => labels !== undefined) ?? []
  return {
    input: state.run.labels ?? [],
    node: id => first(frame => state.frames[frame]?.nodes[id] && (state.frames[frame].nodes[id].labels ?? [])),
    variable: name =>
      first(frame => (name in (state.frames[frame]?.vars ?? {}) ? (state.frames[frame]?.labels ?? []) : undefined)),
  }
}
