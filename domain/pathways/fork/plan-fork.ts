import type { NodeMilestone } from '../../runs/nodes.ts'
import { type JsonValue, isJsonObject, type Problem } from '../../shared/json/json.ts'
import { Meter } from '../expressions/meter.ts'
import { escapePointer } from '../../shared/json/json-pointer.ts'
import { exceedsJsonSize } from '../../shared/json/json-size.ts'
import { FULL_LIMITS, throwIfInline, type WorkLimits } from '../../shared/fairness/work-limits.ts'
import { hashJson } from '../decisions/hash-json.ts'
import type { PathwayDefinition, PathwayNode } from '../definition.ts'
import { advance, type TakeOver } from '../engine/next.ts'
import { createInitialState, type EngineState } from '../engine/state.ts'
import { compileGraph, type Graph, type GraphNode } from '../graph.ts'
import { describeNodes } from './describe-plan.ts'
import { findGraphNode, listKeysAfter } from './fork-point.ts'
import { RecordedOutcomes } from './recorded-outcomes.ts'
import type { Deadline, Driven, ForkPlan, ForkProblem, ForkRequest, RecordedNode } from './types.ts'
import { findSchemaProblems } from '../../shared/schemas/json-schema.ts'

/**
 * Plans a fork by replaying recorded outcomes in the engine up to the fork point. Pure. Throws ExpressionError and
 * TooMuchInline.
 */
export function planFork(
  definition: PathwayDefinition,
  request: ForkRequest,
  limits: WorkLimits = FULL_LIMITS,
): ForkPlan {
  if (exceedsJsonSize([definition, request], limits.chars)) throwIfInline(limits)
  const graph = compileGraph(liftConcurrency(definition, request), { meter: new Meter(limits), pins: request.pins })
  const problems = [...findPointProblems(graph, request), ...findReplaceProblems(graph, request)]
  if (problems.length > 0) return emptyPlan(request, problems)
  const givenOutputs = listGiven(request)
  const takeOver = new RecordedOutcomes(graph, request, Object.keys(givenOutputs))
  const driven = drive(graph, request, givenOutputs, takeOver)
  const { state, deadlines } = driven
  const nodes = describeNodes(graph, request, driven, takeOver)
  return { state, deadlines, ...nodes, problems: findPlanProblems(request, state, takeOver) }
}

/** Merges outputs that people supplied for the run with outputs in the request that differ from the recording. */
function listGiven({ nodes, outputs = {} }: ForkRequest): Record<string, JsonValue> {
  const before = nodes.filter(({ is_given, output }) => is_given && output !== undefined)
  const differs = ([key, output]: [string, JsonValue]) => {
    const recorded = nodes.find(node => node.key === key)
    return recorded?.status !== 'completed' || !isSameJson(recorded.output, output)
  }
  return {
    ...Object.fromEntries(before.map(({ key, output = null }) => [key, output])),
    ...Object.fromEntries(Object.entries(outputs).filter(differs)),
  }
}

const isSameJson = (value: JsonValue | undefined, other: JsonValue): boolean =>
  value !== undefined && hashJson(value) === hashJson(other)

const emptyPlan = ({ input, run }: ForkRequest, problems: ForkProblem[]): ForkPlan => ({
  problems,
  state: createInitialState(input, run),
  deadlines: [],
  milestones: [],
  copied: [],
  reused: [],
  asked_again: [],
  kept_decisions: [],
  runs: [],
  repeated: [],
})

function findPointProblems(graph: Graph, { from, nodes }: ForkRequest): ForkProblem[] {
  if (from === undefined) return []
  const pointer = '/from_node'
  if (!findGraphNode(graph, from))
    return [{ pointer, message: `must be the key of a node in the pathway, such as ${nodes[0]?.key ?? 'review'}` }]
  const recorded = nodes.find(({ key }) => key === from)
  if (!recorded || recorded.status === 'skipped') return [{ pointer, message: `the run never reached ${from}` }]
  if (recorded.status === 'running' || recorded.status === 'waiting')
    return [{ pointer, message: `${from} is still running: cancel the run, or wait until it ends`, is_state: true }]
  return []
}

const NOT_TAKEN_OVER = 'must be the output of a node that the fork reuses'

/** Lists the outputs in a request that cannot replace recorded outputs. */
function findReplaceProblems(graph: Graph, { from, outputs = {} }: ForkRequest): ForkProblem[] {
  const running = new Set(from !== undefined && findGraphNode(graph, from) ? [from, ...listKeysAfter(graph, from)] : [])
  return Object.entries(outputs).flatMap(([key, output]) => {
    const pointer = `/outputs/${escapePointer(key)}`
    const node = findGraphNode(graph, key)
    if (!node) return [{ pointer, message: 'must be the key of a node in the pathway' }]
    const problems = findOutputProblems(node, output, pointer)
    return problems.length === 0 && running.has(key) ? [{ pointer, message: NOT_TAKEN_OVER }] : problems
  })
}

/**
 * While the engine replays, the `map` around the fork point runs one more iteration concurrently. This way,
 * iterations that were completed after the fork point are reused too.
 */
function liftConcurrency(definition: PathwayDefinition, { from, nodes }: ForkRequest): PathwayDefinition {
  const [, owner, index] = /^([^[/]+)\[(\d+)\]/.exec(from ?? '') ?? []
  const isLater = ({ key, status }: RecordedNode) => {
    const [, other, number] = /^([^[/]+)\[(\d+)\]/.exec(key) ?? []
    return other === owner && Number(number) > Number(index) && status === 'completed'
  }
  if (owner === undefined || !nodes.some(isLater)) return definition
  const lift = (node: PathwayNode): PathwayNode =>
    node.type === 'map' && node.id === owner && node.concurrency ? { ...node, concurrency: node.concurrency + 1 } : node
  return { ...definition, nodes: definition.nodes.map(lift) }
}

function drive(
  graph: Graph,
  { input, run, at }: ForkRequest,
  givenOutputs: Record<string, JsonValue>,
  takeOver: TakeOver,
): Driven {
  let state: EngineState = { ...createInitialState(input, run), given: givenOutputs }
  const milestones = new Map<string, NodeMilestone>()
  const deadlines: Deadline[] = []
  let type: 'start' | 'continue' = 'start'
  do {
    const result = advance(graph, state, [{ type, at }], takeOver)
    state = result.state
    for (const milestone of result.milestones) milestones.set(milestone.key, milestone)
    for (const command of result.commands) if (command.type === 'deadline') deadlines.push(command)
    type = 'continue'
  } while (state.phase === 'running' && state.ready.some(key => !takeOver.holds(key)))
  const { given: unusedOutputs = {}, ...driven } = state
  return {
    // Effects of reused nodes stay with the original run.
    state: { ...driven, compensations: [], ...(Object.keys(unusedOutputs).length > 0 && { given: unusedOutputs }) },
    deadlines: deadlines.filter(({ key }) => state.active[key]),
    reached: [...milestones.values()],
  }
}

function findPlanProblems(
  { from, outputs = {} }: ForkRequest,
  state: EngineState,
  takeOver: RecordedOutcomes,
): ForkProblem[] {
  const missing = [...takeOver.missing].map(key => ({
    pointer: `/outputs/${escapePointer(key)}`,
    message: `is required: the output of ${key} was not stored`,
  }))
  if (missing.length > 0) return missing
  const unused = Object.keys(outputs)
    .filter(key => !takeOver.taken.has(key) && !takeOver.isBehindAsked(key))
    .map(key => ({ pointer: `/outputs/${escapePointer(key)}`, message: NOT_TAKEN_OVER }))
  if (unused.length > 0) return unused
  if (from !== undefined && !state.ready.includes(from) && !takeOver.isBehindAsked(from))
    return [{ pointer: '/from_node', message: describeMiss(from, state) }]
  if (state.error)
    return [{ pointer: '', message: `the fork would fail immediately: ${state.error.message}`, is_state: true }]
  if (state.ready.length === 0)
    return [{ pointer: '', message: 'the run has no nodes left to execute', is_state: true }]
  return []
}

function describeMiss(from: string, { error, phase }: EngineState): string {
  if (error) return `the fork would fail before ${from}: ${error.message}`
  return phase === 'over'
    ? `the fork would end before ${from}`
    : `the reused nodes do not lead to ${from}: fork from an earlier node`
}

/** Lists why an output cannot replace a node's output. Pointers start with `at`. */
function findOutputProblems({ node, decides }: GraphNode, output: JsonValue, at: string): Problem[] {
  if (decides)
    return [{ pointer: at, message: 'must not be given: people decide in this node, so reopen the decision' }]
  switch (node.type) {
    case 'switch':
    case 'join':
    case 'end':
      return [{ pointer: at, message: `the output of a ${node.type} node cannot be replaced` }]
    case 'map':
      return Array.isArray(output) ? [] : [{ pointer: at, message: "must be a list of the iterations' outputs" }]
    case 'neuron':
      return findAnswerProblems(node.with.schema, output, at)
    case 'http':
      return isJsonObject(output) && typeof output.status === 'number'
        ? []
        : [{ pointer: at, message: 'must be an object with the status, headers and body of the response' }]
    default:
      return []
  }
}

function findAnswerProblems(schema: object | undefined, output: JsonValue, at: string): Problem[] {
  if (!isJsonObject(output) || typeof output.text !== 'string')
    return [{ pointer: at, message: 'must be an object with the text of the answer' }]
  if (!schema) return []
  if (output.data === undefined) return [{ pointer: `${at}/data`, message: 'is required: the node has a schema' }]
  return findSchemaProblems(schema as Parameters<typeof findSchemaProblems>[0], output.data, `${at}/data`)
}
