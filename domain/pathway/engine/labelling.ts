import { joinLabels, type Label, type Labels } from '../../flow/labels.ts'
import { type FlowScope, labelAllReads } from '../flow/label-reads.ts'
import { listEnclosingFrames, splitKey } from './node-keys.ts'
import type { EngineState } from './state.ts'
import type { Transition } from './transition.ts'

/** Stores the labels that the output of a node will have, as far as they follow from what it reads. */
export function labelNode(transition: Transition, key: string): void {
  const { node, kind } = transition.node(key)
  const read = kind.isOpaque ? [] : labelInput(transition, key)
  const labels = joinLabels(kind.labels?.(node), read)
  if (labels.length > 0) transition.setNode(key, { status: 'active', labels })
}

/** Returns the labels of what a node reads. */
export const labelInput = (transition: Transition, key: string): Label[] =>
  labelAllReads(transition.node(key), toScope(transition.state, splitKey(key).frameId))

function toScope(state: EngineState, frameId: string): FlowScope {
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
