import type { Tx } from '../../data/shared/database.ts'
import { Conflict, ValidationError } from '../../domain/shared/errors.ts'
import { isJsonObject, type JsonValue, type Problem } from '../../domain/shared/json/json.ts'
import type { Body, PathwayDefinition, PathwayNode, PinnedPathway } from '../../domain/pathways/definition.ts'
import type { ToolNode } from '../../domain/pathways/kinds/tool.ts'
import { NEEDS_NEURON } from '../../domain/tools/builtin.ts'
import { missingReflex } from '../../domain/tools/names.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import type { BrainAccess, Principal } from '../../domain/access/principal.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import { findReflexes, type KnownReflexes } from '../tools/catalog.ts'

const MAX_BODY_DEPTH = 10

interface ToolPlace {
  reflex: string
  name: string
  args: JsonValue
  pointer: string
}

/**
 * Returns problems with the tool calls in a definition: missing tools, tools that require a different node type, and
 * arguments that a tool does not accept.
 * @param definition not validated, but all tool calls in it are checked
 * @param at pointer prefix for the definition
 */
export async function toolProblems(
  tx: Tx,
  principal: Principal,
  definition: unknown,
  at: string,
  evaluator: Evaluator,
): Promise<Problem[]> {
  const places = placesIn(definition, at)
  const reflexes = await knownTo(tx, principal, places)
  const ofArguments = await Promise.all(
    places.flatMap(({ reflex, name, args, pointer }) => {
      const tool = findTool(reflexes, reflex, name)
      const where = `${pointer}/with/args`
      return tool && unfit(tool) === undefined
        ? [evaluator.evaluate(principal.workspace_id, 'findArgumentProblems', tool.parameters, args, where)]
        : []
    }),
  )
  return [...problemsAmong(places, reflexes), ...ofArguments.flat()]
}

const findTool = (reflexes: KnownReflexes, reflex: string, name: string): ToolSpec | undefined =>
  reflexes.get(reflex)?.tools.find(tool => tool.name === name)

/**
 * Pins the reflexes for all tool calls in the definitions, by id and current version. Throws ValidationError for a
 * missing tool, and Conflict if a reflex is inactive.
 */
export async function pinTools<Run extends { definition: PathwayDefinition; subflows: Record<string, PinnedPathway> }>(
  tx: Tx,
  principal: BrainAccess,
  run: Run,
  at: string,
): Promise<Run> {
  const inner = Object.values(run.subflows).flatMap(({ definition }) => placesIn(definition, ''))
  const places = [...placesIn(run.definition, at), ...inner]
  if (places.length === 0) return run
  const reflexes = await knownTo(tx, principal, places)
  const problems = problemsAmong(places, reflexes)
  if (problems.length > 0) throw new ValidationError('The pathway has references that cannot be resolved', problems)
  const off = [...reflexes.values()].find(({ is_active }) => !is_active)
  if (off) throw new Conflict(`The reflex "${off.slug}" is inactive`)
  const subflows = Object.entries(run.subflows).map(([ref, pinned]) => [
    ref,
    { ...pinned, definition: pinnedBody(pinned.definition, reflexes) },
  ])
  return { ...run, definition: pinnedBody(run.definition, reflexes), subflows: Object.fromEntries(subflows) }
}

const knownTo = (tx: Tx, principal: BrainAccess, places: ToolPlace[]): Promise<KnownReflexes> =>
  findReflexes(
    tx,
    principal,
    places.map(({ reflex }) => reflex),
  )

function problemsAmong(places: ToolPlace[], reflexes: KnownReflexes): Problem[] {
  return places.flatMap(({ reflex, name, pointer }) => {
    const reflexTools = reflexes.get(reflex)
    if (!reflexTools) return [{ pointer: `${pointer}/with/reflex`, message: missingReflex(reflex) }]
    const tool = findTool(reflexes, reflex, name)
    const message = tool ? unfit(tool) : `"${reflexTools.slug}" has no tool "${name}"`
    return message === undefined ? [] : [{ pointer: `${pointer}/with/name`, message }]
  })
}

/** Returns the reason why a node cannot call a tool, or undefined if the node can call it. */
export function unfit({ name, source }: ToolSpec): string | undefined {
  if (source === 'pathway' || source === 'neuron') return `"${name}" runs a ${source}: use a node of type "${source}"`
  if (name === 'ask_human' && source === 'builtin') return '"ask_human" is for neurons: use a node of type "human"'
  return source === 'builtin' && NEEDS_NEURON.has(name) ? `"${name}" is for neurons only` : undefined
}

/** Finds the tool calls in a graph, including nested bodies. Does not require a valid graph. */
function placesIn(body: unknown, at: string, bodies = 0): ToolPlace[] {
  const nodes = isJsonObject(body) && Array.isArray(body.nodes) ? (body.nodes as unknown[]) : []
  return nodes.flatMap((node, i) => {
    if (!isJsonObject(node)) return []
    const pointer = `${at}/nodes/${i}`
    if (node.type !== 'tool') return bodies < MAX_BODY_DEPTH ? placesIn(node.body, `${pointer}/body`, bodies + 1) : []
    const { reflex, name, args = {} } = isJsonObject(node.with) ? node.with : {}
    return typeof reflex === 'string' && typeof name === 'string' ? [{ reflex, name, args, pointer }] : []
  })
}

/** Removes the facts about pinned tools that the server adds. Definitions from outside must not contain them. */
export const withoutToolFacts = <B extends Body>(body: B): B =>
  changeCalls(body, ({ effect: _effect, is_short: _short, ...call }) => call)

const pinnedBody = <B extends Body>(body: B, reflexes: KnownReflexes): B =>
  changeCalls(body, call => {
    const reflexTools = reflexes.get(call.reflex)
    if (!reflexTools) return call
    const tool = findTool(reflexes, call.reflex, call.name)
    return {
      ...call,
      reflex: `${reflexTools.id}@${reflexTools.version}`,
      effect: tool?.effect,
      is_short: tool?.is_short,
    }
  })

type Call = ToolNode['with']

/** Changes the tool calls in a graph, including nested bodies. */
function changeCalls<B extends Body>(body: B, change: (call: Call) => Call): B {
  const changeNode = (node: PathwayNode): PathwayNode => {
    if ('body' in node) return { ...node, body: changeCalls(node.body, change) }
    return node.type === 'tool' ? { ...node, with: change(node.with) } : node
  }
  return { ...body, nodes: body.nodes.map(changeNode) }
}
