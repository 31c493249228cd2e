import type { NodeType } from '../definition.ts'
import { end } from './end.ts'
import { http } from './http.ts'
import { human } from './human.ts'
import { join } from './join.ts'
import type { NodeKind } from './kind.ts'
import { loop } from './loop.ts'
import { map } from './map.ts'
import { neuron } from './neuron.ts'
import { pathway } from './pathway.ts'
import { search } from './search.ts'
import { stakeholders } from './stakeholders.ts'
import { switchKind } from './switch.ts'
import { tool } from './tool.ts'
import { transcribe } from './transcribe.ts'
import { transform } from './transform.ts'
import { wait } from './wait.ts'

const KINDS = [
  transform,
  switchKind,
  http,
  neuron,
  search,
  tool,
  transcribe,
  stakeholders,
  map,
  loop,
  pathway,
  human,
  wait,
  join,
  end,
] as const
/** All node types. The node unions derive from this list. */
export type Kinds = typeof KINDS

const byType = new Map<string, NodeKind>(KINDS.map(kind => [kind.type, kind]))

export const NODE_TYPES: readonly NodeType[] = KINDS.map(kind => kind.type)

export const findNodeKind = (type: string): NodeKind | undefined => byType.get(type)

/** Returns the kind of a validated node. Throws for an unknown type. */
export function getNodeKind(type: NodeType): NodeKind {
  const kind = byType.get(type)
  if (!kind) throw new Error(`no node type ${type}`)
  return kind
}
