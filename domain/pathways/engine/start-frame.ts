import { getGraph, parseGraphPath } from './node-keys.ts'
import type { Transition } from './transition.ts'
import type { FrameState } from './state.ts'

/** Enqueues the start nodes of a frame. */
export function startFrame(transition: Transition, frame: FrameState): void {
  for (const { node } of getGraph(transition.graph, parseGraphPath(frame.id)).starts)
    transition.enqueue(frame.id, node.id)
}
