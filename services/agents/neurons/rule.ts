import { isJsonObject, type JsonObject, type JsonValue, type Problem } from '../../../domain/shared/json/json.ts'
import { escapePointer, prefixPointers } from '../../../domain/shared/json/json-pointer.ts'
import { pickArguments } from '../../../domain/tools/fixed-arguments.ts'
import type { ToolSpec } from '../../../domain/tools/tool-spec.ts'
import type { Evaluator } from '../../pathways/evaluation/evaluator.ts'
import { findSkills, isSame, resolveEntries, type ToolEntry } from './run-spec.ts'
import type { KindRule } from '../../resources/saving.ts'

/**
 * Checks that a neuron's tools and skills exist, and that its tools accept the arguments named in `with` and in
 * approval rules.
 */
export const createNeuronRule =
  (evaluator: Evaluator): KindRule =>
  async (tx, principal, document) => {
    // Malformed entries are already reported by schema validation.
    const { tools, skills } = document as { tools?: unknown; skills?: unknown }
    const entries = Array.isArray(tools) && tools.every(isEntry) ? tools : []
    const named = Array.isArray(skills) && skills.every(ref => typeof ref === 'string') ? skills : []
    const [{ found: specLists, problems }, missing] = await Promise.all([
      resolveEntries(tx, principal, entries),
      findSkills(tx, principal, named),
    ])
    const wrong = await Promise.all(
      entries.map(async (entry, i) => {
        const [tools, { workspace_id }] = [specLists[i] ?? [], principal]
        const [set, ruleProblems] = await Promise.all([
          findSetProblems(evaluator, workspace_id, tools, entry.with ?? {}, `/tools/${i}/with`),
          findRuleProblems(evaluator, workspace_id, tools, entry.approval),
        ])
        return [...set, ...prefixPointers(`/tools/${i}/approval`, ruleProblems)]
      }),
    )
    return [...problems, ...missing.problems, ...wrong.flat(), ...findRepeats(entries, specLists)]
  }

interface WrittenEntry extends ToolEntry {
  with?: JsonObject
  /** Not validated. */
  approval?: JsonValue
}

const isEntry = (entry: unknown): entry is WrittenEntry => {
  if (!isJsonObject(entry)) return false
  const { reflex, names, with: set } = entry
  const isNamed = names === undefined || (Array.isArray(names) && names.every(name => typeof name === 'string'))
  return typeof reflex === 'string' && isNamed && (set === undefined || isJsonObject(set))
}

/** Lists entries that select a tool again if either entry sets arguments. Only one entry may set a tool's arguments. */
function findRepeats(entries: WrittenEntry[], specLists: ToolSpec[][]): Problem[] {
  return entries.flatMap((entry, i) => {
    const earlier = specLists.slice(0, i).flatMap((tools, j) => (entry.with || entries[j]?.with ? tools : []))
    const repeated = (specLists[i] ?? []).filter(tool => earlier.some(other => isSame(tool, other)))
    const message = ({ name }: ToolSpec) =>
      `"${name}" is already in an earlier entry: only one entry may set a tool's arguments`
    return repeated.map(tool => ({ pointer: `/tools/${i}`, message: message(tool) }))
  })
}

/** Lists problems with the arguments that an approval rule reads. At least one tool must accept each argument. */
async function findRuleProblems(
  evaluator: Evaluator,
  workspaceId: string,
  tools: ToolSpec[],
  rule: JsonValue | undefined,
): Promise<Problem[]> {
  if (tools.length === 0 || !isJsonObject(rule)) return []
  const [when, title] = [rule.when, rule.title].map(text => (typeof text === 'string' ? text : undefined))
  if (when === undefined && title === undefined) return []
  const parameters = tools.map(tool => tool.parameters)
  return evaluator.evaluate(workspaceId, 'findUnknownArguments', { when, title }, parameters)
}

/** Lists problems with fixed arguments. At least one of the tools must accept each argument. */
async function findSetProblems(
  evaluator: Evaluator,
  workspaceId: string,
  tools: ToolSpec[],
  set: Record<string, JsonValue>,
  at: string,
): Promise<Problem[]> {
  if (tools.length === 0 || Object.keys(set).length === 0) return []
  const pickedArguments = tools.map(({ parameters }) => pickArguments(parameters, set))
  const unknown = Object.keys(set).filter(name => !pickedArguments.some(args => Object.hasOwn(args, name)))
  const wrong = await Promise.all(
    tools.map(({ parameters }, i) => {
      const args = pickedArguments[i] ?? {}
      return evaluator.evaluate(workspaceId, 'findArgumentProblems', { ...parameters, required: [] }, args, at)
    }),
  )
  const names = tools.map(({ name }) => name).join(', ')
  return [
    ...unknown.map(name => ({ pointer: `${at}/${escapePointer(name)}`, message: `must be an argument of ${names}` })),
    ...wrong.flat(),
  ]
}
