import { ACTIONS } from '../jobs.ts'
import type { JsonObject, JsonValue, Problem } from '../json.ts'
import { compileSchema } from '../schemas/json-schema.ts'
import { pointerOf } from '../zod-problems.ts'
import type { Body, PathwayDefinition, PathwayNode } from './definition.ts'
import { splitKey } from './engine/address.ts'
import type { InterventionRequest } from './engine/commands.ts'

const MAX_LISTED_IDS = 20

/** Problems of mocked outputs: those that are for no node of the pathway. */
export function outputProblems(definition: PathwayDefinition, outputs: Record<string, JsonValue>): Problem[] {
  const ids = idsIn(definition)
  const hint = ids.slice(0, MAX_LISTED_IDS).join(', ')
  return Object.keys(outputs)
    .filter(key => !(key.includes('/') ? namesVisit(definition, key) : ids.includes(key)))
    .map(key => ({ pointer: pointerOf(['outputs', key]), message: `must name a node of the pathway, such as ${hint}` }))
}

const idsIn = (body: Body): string[] =>
  body.nodes.flatMap(node => ('body' in node ? [node.id].concat(idsIn(node.body)) : [node.id]))

/** Whether a key such as `each[1]/price` leads to a node, whichever iteration it names. */
function namesVisit(definition: Body, key: string): boolean {
  const { frameId, nodeId } = splitKey(key)
  let body: Body | undefined = definition
  for (const step of frameId.split('/')) {
    const [, owner] = /^(.+)\[\d+\]$/.exec(step) ?? []
    const node: PathwayNode | undefined = body?.nodes.find(({ id }) => id === owner)
    body = node && 'body' in node ? node.body : undefined
  }
  return body?.nodes.some(({ id }) => id === nodeId) ?? false
}

/** Why a mocked output is no answer to what is asked; undefined when it is one. */
export function mockedAnswerProblem({ kind, form }: InterventionRequest, mock: JsonObject): string | undefined {
  const { action, data } = mock
  const actions = ACTIONS[kind]
  if (!actions.some(known => known === action)) return `the mocked answer needs an action: ${actions.join(' or ')}`
  if (action === 'submit_input' && data === undefined) return 'the mocked answer needs data'
  if (!form || data === undefined || action === 'reject') return undefined
  const compiled = compileSchema(form)
  const problems = 'validate' in compiled ? compiled.validate(data, '/data') : compiled.problems
  if (problems.length === 0) return undefined
  const listed = problems.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  return `the mocked answer does not fit the form: ${listed}`
}
