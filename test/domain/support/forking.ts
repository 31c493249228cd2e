import { ACTIONS } from '../../../domain/people/intervention.ts'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import { isEffect } from '../../../domain/pathways/engine/commands.ts'
import { getNode } from '../../../domain/pathways/engine/node-keys.ts'
import { planFork } from '../../../domain/pathways/fork/plan-fork.ts'
import type { ForkPlan, ForkRequest, RecordedNode } from '../../../domain/pathways/fork/types.ts'
import { AT, type Begun, digest, EngineHarness, outputOf } from './engine-harness.ts'

/** Returns the rows of a run: the last milestone of each node, in end order. */
export function recordOf({ graph, milestones }: EngineHarness): RecordedNode[] {
  const byKey = new Map<string, RecordedNode>()
  for (const { key, node_id, node_type, status, port, output, labels, error, covers, is_given } of milestones) {
    byKey.delete(key)
    const isDone = status === 'completed' || status === 'compensated'
    const kept = isDone && !is_given && isEffect(getNode(graph, key).node) ? outputOf(key) : output
    byKey.set(key, { key, node_id, node_type, status, port, labels, error, covers, is_given, output: kept })
  }
  return [...byKey.values()]
}

export const planForkOf = (
  run: EngineHarness,
  definition: PathwayDefinition,
  request: Partial<ForkRequest> = {},
): ForkPlan =>
  planFork(definition, { input: run.state.input, run: run.state.run, nodes: recordOf(run), at: AT, ...request })

/** Runs a fork. */
export function goOn(
  definition: PathwayDefinition,
  { state }: Pick<ForkPlan, 'state'>,
  outputs = outputOf,
  fork = new EngineHarness(definition),
): EngineHarness {
  fork.state = JSON.parse(JSON.stringify(state)) as typeof state
  fork.yields = 1
  fork.deliver({ type: 'continue', at: AT })
  while (!fork.end) {
    const open = [...fork.open.values()].find(({ type }) => type !== 'deadline')
    const [undoing] = fork.undoing
    if (fork.yields > 0) fork.deliver({ type: 'continue', at: AT })
    else if (undoing) fork.undone(undoing.key)
    else if (!open) throw new Error('the fork does not end')
    else if (fork.cancelled.has(open.key)) fork.settle(open.key)
    else fork.complete(open.key, outputs(open.key), toPort(open))
  }
  return fork
}

const toPort = ({ type, key, node: asked }: Begun): string | undefined =>
  type === 'ask' && asked.type === 'human' ? ACTIONS[asked.kind][digest(key) % ACTIONS[asked.kind].length] : undefined
