import type { JobRef } from '../../domain/runs/jobs.ts'
import type { Usage } from '../../domain/access/usage.ts'
import { formatProblems, type JsonObject, type JsonSchema } from '../../domain/shared/json/json.ts'
import { type Labels, buildLabelField } from '../../domain/pathways/labels/labels.ts'
import type { ApprovalRound, ApprovalRule } from '../../domain/agents/approval.ts'
import type { CallApproval, CallKind, ModelDecision, RequestedCall } from '../../domain/agents/loop.ts'
import type { NeuronRunSpec, RunTool } from '../../domain/agents/run-spec.ts'
import { truncateValue } from '../../domain/people/shown-value.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import { createJsonReader } from './json-answer.ts'
import type { ModelAnswer } from './call-model.ts'
import type { ToolCall } from './tool-calls.ts'
import { isShort } from '../../domain/tools/tool-spec.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

/** A rejected call. `why` is written for the model. */
export interface Refusal {
  call: RequestedCall
  why: string
}

const MAX_REASON_CHARS = 1_000
/**
 * Maximum size of a schema for editing a call's arguments. The schema is sent to each parent run and listed with each
 * open intervention.
 */
const MAX_FORM_CHARS = 8_000

/** The run that the model's answer belongs to. */
interface Run {
  job: Pick<JobRef, 'workspace_id'>
  spec: NeuronRunSpec
  evaluator: Evaluator
  /** Sources of the untrusted content that the model has read. */
  labels: Labels
}

/** Converts the model's answer to a decision for the run. Rejected calls are returned with the reason. */
export async function interpretAnswer(
  run: Run,
  answer: ModelAnswer,
  final: boolean,
): Promise<{ decision: ModelDecision; refused: Refusal[] }> {
  const { input_tokens, output_tokens, usd } = answer.usage
  const usage: Usage = { input_tokens, output_tokens, usd }
  const labels = buildLabelField(run.labels)
  if (answer.calls.length > 0 && !final) {
    const assessed: AssessedCall[] = []
    for (const [index, call] of answer.calls.entries())
      assessed.push(await assessCall(run, call, index, answer.calls.slice(0, index)))
    const calls = assessed.map(({ call }) => call)
    return {
      decision: { finish: 'calls', calls, text: answer.text, usage, ...labels },
      refused: assessed.flatMap(asRefusal),
    }
  }
  return { decision: { ...(await interpretText(run, answer)), calls: [], usage, ...labels }, refused: [] }
}

type Conclusion = Pick<ModelDecision, 'finish' | 'text' | 'data' | 'cut' | 'invalid'>

async function interpretText({ job, spec, evaluator }: Run, { text, finish }: ModelAnswer): Promise<Conclusion> {
  const { output_schema } = spec
  const cut = finish === 'length' ? { cut: true } : {}
  if (!output_schema) return { finish: 'answer', text, ...cut }
  try {
    return { finish: 'answer', text, data: await createJsonReader(evaluator, job, output_schema)(text), ...cut }
  } catch (error) {
    if (!(error instanceof StepError) || error.code !== 'MODEL_OUTPUT_INVALID') throw error
    return { finish: 'invalid', text, invalid: error.message, ...cut }
  }
}

interface AssessedCall {
  call: RequestedCall
  why?: string
}

const asRefusal = ({ call, why }: AssessedCall): Refusal[] => (why === undefined ? [] : [{ call, why }])

async function assessCall(
  { job, spec, evaluator, labels }: Run,
  call: ToolCall,
  index: number,
  before: ToolCall[],
): Promise<AssessedCall> {
  const { id, name, args, invalid } = call
  const tool = spec.tools.find(({ alias }) => alias === name)
  const refuse = (why: string): AssessedCall => ({ call: { id, index, name, kind: 'refused' }, why })
  // Arguments are looked up by id, so a call must not run with the arguments that were approved for another call.
  if (before.some(other => other.id === id)) return refuse('Another call of this answer has the same id')
  if (!tool) return refuse(`There is no tool "${cut(name, 100)}"`)
  if (args === undefined) return refuse(`The call cannot be made: ${invalid ?? 'it has no arguments'}`)
  const problems = await describeArgumentProblems(evaluator, job, tool, args)
  if (problems) return refuse(`The arguments must match the parameters of the tool: ${problems}`)
  const complete = { ...args, ...tool.fixed }
  const rules = listRules(spec, tool, labels)
  const rounds = await evaluator.evaluate(job.workspace_id, 'planApproval', rules, complete)
  const kind = classifyTool(tool)
  const approval = rounds ? { approval: buildApproval(tool, rounds, labels) } : {}
  const display = rounds || kind === 'ask_human' ? { shown: truncateValue(complete) } : {}
  const writes = kind === 'tool' && tool.effect !== 'read' ? { writes: true as const } : {}
  const short = kind === 'tool' && isShort(tool) ? { is_short: true as const } : {}
  return { call: { id, index, name, kind, ...writes, ...short, ...approval, ...display } }
}

function classifyTool({ source, name }: RunTool): CallKind {
  if (source === 'pathway' || source === 'neuron') return source
  return source === 'builtin' && name === 'ask_human' ? 'ask_human' : 'tool'
}

/** By default, tools that change data or send text require approval once the model has read untrusted content. */
function listRules({ allowed_hosts }: NeuronRunSpec, tool: RunTool, labels: Labels): ApprovalRule[] {
  if (tool.approval.length > 0 || labels.length === 0) return tool.approval
  const sendsAnywhere = tool.source === 'builtin' && tool.name === 'http_fetch' && allowed_hosts === undefined
  return tool.effect !== 'read' || sendsAnywhere ? ['always'] : []
}

const buildApproval = (tool: RunTool, rounds: ApprovalRound[], labels: Labels): CallApproval => ({
  rounds,
  pending: [...rounds.keys()].filter(round => !rounds[round]?.when_edited),
  decided: 0,
  ...buildForm(tool),
  ...(tool.fixed && { fixed: tool.fixed }),
  ...buildLabelField(labels),
})

/** Edited arguments are validated against the tool, so omitting the form does not permit more. */
const buildForm = ({ parameters }: RunTool): { form?: JsonSchema } =>
  JSON.stringify(parameters).length <= MAX_FORM_CHARS ? { form: parameters } : {}

/** Describes problems with the arguments, as the end of a sentence. */
export async function describeArgumentProblems(
  evaluator: Evaluator,
  { workspace_id }: Pick<JobRef, 'workspace_id'>,
  { parameters }: Pick<RunTool, 'parameters'>,
  args: JsonObject,
): Promise<string | undefined> {
  const problems = await evaluator.evaluate(workspace_id, 'findSchemaProblems', parameters, args)
  if (problems.length === 0) return undefined
  return cut(formatProblems(problems), MAX_REASON_CHARS)
}
