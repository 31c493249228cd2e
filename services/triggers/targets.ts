import type { Tx } from '../../data/shared/database.ts'
import { findPinnedResources, type PinnedResource } from '../../data/resources/pinned-resources-store.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { JsonSchema, JsonValue, Problem } from '../../domain/shared/json/json.ts'
import type { BrainAccess, Principal } from '../../domain/access/principal.ts'
import { TARGET_KINDS, TARGET_SCHEMAS, type MessageCall, type TriggerTarget } from '../../domain/triggers/target.ts'
import { visibleBrains } from '../access/brains.ts'
import { createBuildPathwayTurn } from '../agents/conversations/pathway-turn.ts'
import type { ConversationTarget, MessageInput } from '../agents/conversations/conversations.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { ClaimJob, JobStart } from '../runs/start/job-starter.ts'
import { createBuildPathwayRun, getPathway } from '../runs/start/start-pathway.ts'
import { buildNeuronRun, getNeuron } from '../agents/neurons/start-neuron.ts'
import type { PathwayDocument } from '../pathways/document.ts'
import { parseReference } from '../pathways/references.ts'

/** Finds the targets of triggers, with one query per type. Omits targets that do not exist. */
export async function findTargets(
  tx: Tx,
  access: BrainAccess,
  targets: TriggerTarget[],
): Promise<Map<string, PinnedResource>> {
  const resourcesByKey = new Map<string, PinnedResource>()
  for (const type of new Set(targets.map(target => target.type))) {
    const refs = [...new Set(targets.filter(target => target.type === type).map(({ ref }) => ref))]
    const pinned = await findPinnedResources(tx, TARGET_KINDS[type], refs.map(parseReference), visibleBrains(access))
    for (const resource of pinned) resourcesByKey.set(buildTargetKey({ type, ref: resource.ref }), resource)
  }
  return resourcesByKey
}

export const buildTargetKey = ({ type, ref }: TriggerTarget): string => `${type}:${ref}`

/** Returns the reason why a target cannot be started, or undefined if it can be started. */
export function findTargetProblem(
  { type, ref }: TriggerTarget,
  resource: PinnedResource | undefined,
): string | undefined {
  if (!resource) return `There is no ${type} "${ref}"`
  return resource.is_active ? undefined : `The ${type} "${resource.slug}" is inactive`
}

/** Returns the schema for a target's input. Returns undefined if the target accepts any input. */
export function findTargetSchema({ type }: TriggerTarget, resource: PinnedResource): JsonSchema | undefined {
  return type === 'pathway' ? (resource.document as PathwayDocument).definition.input : TARGET_SCHEMAS[type]
}

/**
 * Builds a run of the target with the given input, in the firing's transaction. Throws NotFound, Conflict for an
 * inactive target, and ValidationError for an input that the target does not accept.
 */
export type BuildTargetRun = (
  tx: Tx,
  principal: Principal,
  target: TriggerTarget,
  input: JsonValue,
  claimJob: ClaimJob,
) => Promise<JobStart>

export function createBuildTargetRun(evaluator: Evaluator): BuildTargetRun {
  const buildPathwayRun = createBuildPathwayRun(evaluator)
  const buildPathwayTurn = createBuildPathwayTurn(evaluator)

  async function buildTurn(
    tx: Tx,
    principal: Principal,
    { type, ref }: ConversationTarget,
    call: MessageInput & Pick<MessageCall, 'variables'>,
    claimJob: ClaimJob,
  ): Promise<JobStart> {
    if (type === 'neuron') {
      const head = await getNeuron(tx, principal, ref)
      return buildNeuronRun(tx, principal, head, await claimJob(head.slug), call)
    }
    const head = await getPathway(tx, principal, ref)
    return buildPathwayTurn(tx, principal, head, await claimJob(head.slug), call)
  }

  return async (tx, principal, target, input, claimJob) => {
    if (target.type === 'pathway') {
      const head = await getPathway(tx, principal, target.ref)
      return buildPathwayRun(tx, principal, head, await claimJob(head.slug), input)
    }
    const schema = TARGET_SCHEMAS[target.type] as JsonSchema
    const problems = await evaluator.evaluate(principal.workspace_id, 'findSchemaProblems', schema, input, '/input')
    if (problems.length > 0) throw inputError(target, problems)
    const { message, trace_id, variables } = input as unknown as MessageCall
    const call = { messages: [{ role: 'user' as const, content: message }], trace_id, variables }
    if (target.type === 'neuron') return buildTurn(tx, principal, { ...target, type: 'neuron' }, call, claimJob)
    const receptor = await getReceptor(tx, principal, target)
    const leadsTo = (receptor.document as { target: ConversationTarget }).target
    return buildTurn(tx, principal, leadsTo, { ...call, receptor_id: receptor.id }, claimJob)
  }
}

const inputError = ({ type }: TriggerTarget, problems: Problem[]) =>
  new ValidationError(`The input must match the input schema of the ${type}`, problems)

async function getReceptor(tx: Tx, access: BrainAccess, target: TriggerTarget): Promise<PinnedResource> {
  const receptor = (await findTargets(tx, access, [target])).get(buildTargetKey(target))
  if (!receptor) throw new NotFound('Receptor')
  if (!receptor.is_active) throw new Conflict(`The receptor "${receptor.slug}" is inactive`)
  return receptor
}
