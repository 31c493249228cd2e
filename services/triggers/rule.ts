import { isJsonObject, type JsonValue, type Problem } from '../../domain/shared/json/json.ts'
import { type TriggerTarget, TARGET_KINDS } from '../../domain/triggers/target.ts'
import { getTriggerType, TRIGGER_TYPES, type TriggerTypeName } from '../../domain/triggers/types/index.ts'
import { inBrain } from '../access/brains.ts'
import type { Evaluator } from '../pathways/evaluation/evaluator.ts'
import type { KindRule } from '../resources/saving.ts'
import { findTargets, findTargetSchema, buildTargetKey } from './targets.ts'

/** Checks that a trigger's target exists and accepts the mapped input. Does not validate the document. */
export const createTriggerRule =
  (evaluator: Evaluator): KindRule =>
  async (tx, principal, document, _selfId, place) => {
    const { target, input, trigger_type = 'manual' } = document as Record<string, unknown>
    if (!isTarget(target)) return []
    // The trigger's runs see the trigger's place, even if that place is the workspace.
    const reader = place ? inBrain(principal, place.brain_id) : principal
    const targetResource = (await findTargets(tx, reader, [target])).get(buildTargetKey(target))
    if (!targetResource) return [{ pointer: '/target/ref', message: `there is no ${target.type} "${target.ref}"` }]
    const schema = findTargetSchema(target, targetResource)
    if (!schema || !isTypeName(trigger_type)) return []
    const mapping = (input ?? getTriggerType(trigger_type).defaultInput) as JsonValue
    const { workspace_id } = principal
    const problems = await evaluator.evaluate(workspace_id, 'findInputProblems', schema, mapping, '/input')
    return input === undefined ? problems.map(explainDefault) : problems
  }

const explainDefault = ({ pointer, message }: Problem): Problem => ({
  pointer,
  message: `${message}, and a trigger of this type does not provide such an input by default`,
})

const isTarget = (value: unknown): value is TriggerTarget =>
  isJsonObject(value) && typeof value.ref === 'string' && typeof value.type === 'string' && value.type in TARGET_KINDS

const isTypeName = (name: unknown): name is TriggerTypeName => typeof name === 'string' && name in TRIGGER_TYPES
