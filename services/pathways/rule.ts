import type { Tx } from '../../data/shared/database.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import type { PathwayDefinition } from '../../domain/pathways/definition.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { visibleBrains } from '../access/brains.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import { neuronProblems, findReferencedNeurons } from './neuron-references.ts'
import { closeOver, referenceProblems } from './references.ts'
import { toolProblems } from './tools.ts'
import type { KindRule } from '../resources/saving.ts'

/** Pointer to the definition in a request. */
export const AT = '/definition'

/** Checks that a pathway's references exist and do not form a cycle, and that its tools accept the given arguments. */
export const createPathwayRule =
  (evaluator: Evaluator): KindRule =>
  (tx, principal, document, selfId) =>
    problemsOfReferences(tx, principal, (document as { definition?: unknown }).definition, evaluator, selfId)

/** Throws ValidationError that lists every problem in a definition with its JSON pointer. */
export async function checkDefinition(
  tx: Tx,
  principal: Principal,
  definition: unknown,
  evaluator: Evaluator,
): Promise<PathwayDefinition> {
  const problems = await listProblems(tx, principal, definition, evaluator)
  if (problems.length > 0) throw new ValidationError('The pathway is invalid', problems)
  return definition as PathwayDefinition
}

/** Lists every problem in a definition with its JSON pointer. */
export async function listProblems(
  tx: Tx,
  principal: Principal,
  definition: unknown,
  evaluator: Evaluator,
): Promise<Problem[]> {
  const problems = await evaluator.evaluate(principal.workspace_id, 'findDefinitionProblems', definition, AT)
  return [...problems, ...(await problemsOfReferences(tx, principal, definition, evaluator))]
}

async function problemsOfReferences(
  tx: Tx,
  principal: Principal,
  definition: unknown,
  evaluator: Evaluator,
  selfId?: string,
): Promise<Problem[]> {
  const closure = await closeOver(tx, definition, visibleBrains(principal))
  const neurons = await findReferencedNeurons(tx, [definition], visibleBrains(principal))
  return [
    ...referenceProblems(definition, closure, AT, selfId),
    ...neuronProblems(definition, neurons, AT),
    ...(await toolProblems(tx, principal, definition, AT, evaluator)),
  ]
}
