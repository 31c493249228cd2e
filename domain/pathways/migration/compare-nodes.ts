import { writeCanonical } from '../../shared/json/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../shared/json/json.ts'
import { escapePointer } from '../../shared/json/json-pointer.ts'
import type { PathwayNode } from '../definition.ts'
import { parseFrameId } from '../engine/node-keys.ts'
import type { EngineState } from '../engine/state.ts'
import type { ReachedStatus } from './types.ts'

/** Progress of the iterations in an active `map` or `loop`. */
export interface IterationState {
  /** Whether an iteration has ended. Its nodes are then no longer in the run state. */
  hasEnded: boolean
  /** Index of the latest iteration. */
  latest: number
}

/** Fields that an ended node no longer reads. The title of an ended node is shown again only for decisions. */
const READ_AT_START = ['title', 'timeout', 'retry']
const TIMES_OF_A_DECISION = ['due', 'remind', 'escalate', 'calendar']

/**
 * Returns the pointers, within a node, to the parts that the run has used and that differ in the new version. An
 * empty pointer stands for the node type.
 */
export function findChanges(
  before: PathwayNode,
  after: PathwayNode,
  status: ReachedStatus,
  iterating?: IterationState,
): string[] {
  if (before.type !== after.type) return ['/type']
  const ignored = new Set(listIgnored(before, after, status, iterating))
  const [original, other] = [normalizeNode(before), normalizeNode(after)]
  return [...new Set([...Object.keys(original), ...Object.keys(other)])]
    .filter(field => !ignored.has(field) && !isSame(original[field], other[field]))
    .map(field => `/${escapePointer(field)}`)
}

function listIgnored(
  before: PathwayNode,
  after: PathwayNode,
  status: ReachedStatus,
  iterating?: IterationState,
): string[] {
  // The times of an open task were computed when it opened, with the calendar as it was then.
  if (before.type === 'human') return status === 'active' ? listFixedCalendar(before, after) : TIMES_OF_A_DECISION
  if (status !== 'active') return READ_AT_START
  if (!iterating) return ['title']
  const ofLoop = before.type === 'loop' ? listFreeOfLoop(after, iterating) : []
  return ['title', ...(iterating.hasEnded ? [] : ['body']), ...ofLoop]
}

const listFixedCalendar = (before: PathwayNode, after: PathwayNode): string[] =>
  'calendar' in before && 'calendar' in after && before.calendar !== undefined && after.calendar !== undefined
    ? ['calendar']
    : []

/**
 * Lists the fields of a loop that may change. The first iteration starts without evaluating `until`, and the loop has
 * compared `max` only with earlier iterations.
 */
const listFreeOfLoop = (after: PathwayNode, { hasEnded, latest }: IterationState): string[] => [
  ...(hasEnded ? [] : ['until']),
  ...(after.type === 'loop' && after.max >= latest ? ['max'] : []),
]

/** Returns a node without its pinned facts: the version of a tool and its known effects. */
function normalizeNode(node: PathwayNode): JsonObject {
  if (node.type !== 'tool') return node as unknown as JsonObject
  const { effect: _effect, is_short: _short, ...called } = node.with
  return { ...node, with: { ...called, reflex: called.reflex.replace(/@.*$/, '') } }
}

const isSame = (value: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  writeCanonical(value ?? null) === writeCanonical(other ?? null)

/** Returns the state of an active `map` or `loop`, or undefined for other nodes. */
export function describeIterations({ iterations, frames }: EngineState, key: string): IterationState | undefined {
  const progress = iterations[key]
  if (!progress) return undefined
  const open = Object.keys(frames)
    .filter(id => id !== '' && parseFrameId(id).key === key)
    .map(id => parseFrameId(id).index)
  const latest = Math.max(0, ...open)
  return { latest, hasEnded: progress.items ? progress.next > progress.open : latest > 1 }
}
