import { graphAt, pathOf } from './address.ts'
import type { Draft } from './draft.ts'
import type { FrameState } from './state.ts'

/** Puts the start nodes of a frame's graph in line. */
export function startFrame(draft: Draft, frame: FrameState): void {
  for (const { node } of graphAt(draft.graph, pathOf(frame.id)).starts) draft.enqueue(frame.id, node.id)
}
