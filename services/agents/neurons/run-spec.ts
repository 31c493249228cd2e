import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../data/shared/database.ts'
import { findPinnedResources, type PinnedResource } from '../../../data/resources/pinned-resources-store.ts'
import { Conflict, ValidationError } from '../../../domain/shared/errors.ts'
import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import type { JsonObject, JsonSchema, Problem } from '../../../domain/shared/json/json.ts'
import { fillInstructions, fillValue, type InstructionScope } from '../../../domain/agents/instructions.ts'
import type { NeuronRunSpec, PinnedNeuron, RunLimits, RunSkill, RunTool } from '../../../domain/agents/run-spec.ts'
import { READ_FILE } from '../../../domain/agents/read-file.ts'
import { LOAD_SKILL, skillTool } from '../../../domain/agents/skills.ts'
import type { BrainAccess } from '../../../domain/access/principal.ts'
import type { NeuronDocument } from '../../../domain/resources/kinds/neurons.ts'
import { omitParameters, pickArguments } from '../../../domain/tools/fixed-arguments.ts'
import { createUniqueNamer, prefixName } from '../../../domain/tools/names.ts'
import type { ToolSpec } from '../../../domain/tools/tool-spec.ts'
import { visibleBrains } from '../../access/brains.ts'
import { parseReference } from '../../pathways/references.ts'
import { findReflexes, resolveTools } from '../../tools/catalog.ts'

/** Options for a neuron run. */
export interface RunOptions {
  requester: string
  variables?: JsonObject
  /** `budget_usd` and `max_steps` override the neuron's settings. */
  budget_usd?: number
  max_steps?: number
  /** Whether the thread has files. An agent then gets the tool that reads them. */
  has_files?: boolean
}

/** A reflex that a neuron uses, with the selected tools. */
export type ToolEntry = Pick<NeuronDocument['tools'][number], 'reflex' | 'names'>

export interface ResolvedRun {
  spec: NeuronRunSpec
  limits: RunLimits
}

/**
 * Returns the referenced neuron, or undefined if the reader cannot see it. Throws Conflict if the neuron is inactive.
 */
export async function findNeuron(tx: Tx, ref: string, principal: BrainAccess): Promise<PinnedResource | undefined> {
  const [neuron] = await findPinnedResources(tx, 'neurons', [parseReference(ref)], visibleBrains(principal))
  if (neuron && !neuron.is_active) throw new Conflict(`The neuron "${neuron.slug}" is inactive`)
  return neuron
}

export const toPinnedNeuron = ({ id, slug, version, title }: PinnedResource): PinnedNeuron => ({
  id,
  slug,
  version,
  title,
})

/**
 * Pins a run's settings: the neuron with its variables filled in, and the versions of its tools and skills. Throws
 * ValidationError for missing values and unknown references.
 */
export async function resolveRun(
  tx: Tx,
  principal: BrainAccess,
  resource: PinnedResource,
  opening: RunOptions,
): Promise<ResolvedRun> {
  const neuron = resource.document as NeuronDocument
  const [tools, skills] = await Promise.all([
    resolveNeuronTools(tx, principal, neuron, opening),
    resolveSkills(tx, principal, neuron),
  ])
  const { neuron_type, model, memory, temperature, max_output_tokens, allowed_hosts } = neuron
  const spec: NeuronRunSpec = {
    neuron: toPinnedNeuron(resource),
    neuron_type,
    model,
    instructions: buildInstructions(neuron, opening),
    output_schema: buildOutputSchema(neuron),
    tools: [
      ...tools,
      ...(skills.length > 0 ? [skillTool(skills)] : []),
      ...(opening.has_files && neuron_type === 'agent' && !tools.some(({ alias }) => alias === READ_FILE.alias)
        ? [READ_FILE]
        : []),
    ],
    skills,
    memory,
    temperature,
    max_output_tokens,
    allowed_hosts,
    boundary: randomUUID(),
  }
  const { budget_usd = neuron.budget_usd ?? null, max_steps = neuron.max_steps } = opening
  return { spec, limits: { max_steps: neuron_type === 'completion' ? 1 : max_steps, budget_usd } }
}

const buildInstructions = (neuron: NeuronDocument, opening: RunOptions): string =>
  fillTemplate(neuron, opening, scope => fillInstructions(neuron.instructions, scope))

/** Throws ValidationError for a variable without a value. */
function fillTemplate<T>(
  { variables }: NeuronDocument,
  { requester, variables: overrides }: RunOptions,
  fill: (scope: InstructionScope) => T,
): T {
  try {
    return fill({ variables: { ...variables, ...overrides }, run: { requester, at: new Date().toISOString() } })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new ValidationError(`The neuron's variables cannot be evaluated: ${error.message}`, [
      { pointer: '/variables', message: error.message },
    ])
  }
}

/** A router must output one of its routes. */
function buildOutputSchema({ neuron_type, output_schema, routes = [] }: NeuronDocument): JsonSchema | undefined {
  if (neuron_type !== 'router') return output_schema
  const described = routes.map(({ name, description }) => `${name}: ${description}`).join('\n')
  return {
    type: 'object',
    properties: {
      route: { type: 'string', enum: routes.map(({ name }) => name), description: described },
      reason: { type: 'string' },
    },
    required: ['route'],
    additionalProperties: false,
  }
}

/** Resolves each entry's tools. Pointers are relative to the neuron. */
export async function resolveEntries(
  tx: Tx,
  principal: BrainAccess,
  entries: ToolEntry[],
): Promise<{ found: ToolSpec[][]; problems: Problem[] }> {
  const refs = entries.map(({ reflex }) => reflex)
  const reflexes = await findReflexes(tx, principal, refs)
  const resolved = entries.map(({ reflex, names }) => resolveTools(reflexes, [{ reflex, names }]))
  const problems = resolved.flatMap(({ problems }, i) =>
    problems.map(({ pointer, message }) => ({ pointer: `/tools/${i}${pointer.slice('/0'.length)}`, message })),
  )
  return { found: resolved.map(({ tools }) => tools), problems }
}

async function resolveNeuronTools(
  tx: Tx,
  principal: BrainAccess,
  neuron: NeuronDocument,
  opening: RunOptions,
): Promise<RunTool[]> {
  const entries = neuron.tools
  if (entries.length === 0) return []
  const { found: specLists, problems } = await resolveEntries(tx, principal, entries)
  if (problems.length > 0) throw new ValidationError('The neuron refers to tools that do not exist', problems)
  const tools: RunTool[] = []
  for (const [i, { approval, with: set = {} }] of entries.entries()) {
    const values = fillTemplate(neuron, opening, scope => fillValue(set as JsonObject, scope)) as JsonObject
    for (const tool of specLists[i] ?? []) {
      const existingTool = tools.find(other => isSame(other, tool))
      // All rules for a tool apply. Validation allows `with` in only one of a tool's entries.
      const rules = approval === undefined ? [] : [approval]
      if (existingTool)
        Object.assign(
          existingTool,
          { approval: [...existingTool.approval, ...rules] },
          fixArguments(existingTool, values),
        )
      else tools.push({ ...tool, ...fixArguments(tool, values), approval: rules, alias: '' })
    }
  }
  return assignAliases(tools)
}

function fixArguments(
  { parameters, fixed }: Partial<RunTool> & Pick<ToolSpec, 'parameters'>,
  values: JsonObject,
): Partial<RunTool> {
  const more = pickArguments(parameters, values)
  return Object.keys(more).length > 0
    ? { fixed: { ...fixed, ...more }, parameters: omitParameters(parameters, more) }
    : {}
}

export const isSame = (a: Pick<RunTool, 'name' | 'reflex'>, b: Pick<RunTool, 'name' | 'reflex'>): boolean =>
  a.name === b.name && a.reflex.id === b.reflex.id

/** If several tools share a name, every tool after the first gets an alias that starts with its reflex slug. */
function assignAliases(tools: RunTool[]): RunTool[] {
  const usedNames = new Set<string>([LOAD_SKILL])
  const nameFor = createUniqueNamer(usedNames)
  return tools.map(tool => {
    const { name, reflex } = tool
    return { ...tool, alias: nameFor(usedNames.has(name) ? prefixName(reflex.slug, name) : name) }
  })
}

/** Resolves a neuron's skills. Pointers are relative to the neuron. */
export async function findSkills(
  tx: Tx,
  principal: BrainAccess,
  refs: string[],
): Promise<{ found: PinnedResource[]; problems: Problem[] }> {
  if (refs.length === 0) return { found: [], problems: [] }
  const skills = await findPinnedResources(tx, 'skills', refs.map(parseReference), visibleBrains(principal))
  const problems = refs.flatMap((ref, i) =>
    skills.some(skill => skill.ref === ref) ? [] : [{ pointer: `/skills/${i}`, message: `there is no skill "${ref}"` }],
  )
  return { found: skills, problems }
}

async function resolveSkills(tx: Tx, principal: BrainAccess, { skills: refs }: NeuronDocument): Promise<RunSkill[]> {
  const { found: pinnedSkills, problems } = await findSkills(tx, principal, refs)
  if (problems.length > 0) throw new ValidationError('The neuron refers to skills that do not exist', problems)
  return pinnedSkills.map(({ id, slug, version, title, document }) => {
    const { description } = document as { description: string | null }
    return { id, slug, version, title, description: description ?? '' }
  })
}
