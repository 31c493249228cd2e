import { Context } from '@temporalio/activity'
import type { Database, Tx } from '../../data/shared/database.ts'
import { saveMilestones } from '../../data/runs/job-nodes-store.ts'
import { findMessage, saveMessages } from '../../data/agents/trace-messages-store.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../domain/runs/nodes.ts'
import { labelToolOutput, type Labels, buildLabelField } from '../../domain/pathways/labels/labels.ts'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import { answerPosition, replyPosition } from '../../domain/agents/messages.ts'
import type { NeuronRunSpec, RunTool, TraceTurn } from '../../domain/agents/run-spec.ts'
import { truncateValue } from '../../domain/people/shown-value.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import type { ToolExecutor } from '../tools/types.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { Step } from '../runs/step.ts'
import type { CallRef, StepInput, CallStep } from '../types.ts'
import type { RunScopedTools } from './run-scoped-tools.ts'
import type { RunSpecs } from './run-specs.ts'
import { describeArgumentProblems } from './interpret-answer.ts'

export interface CallDeps {
  db: Database
  specs: RunSpecs
  toolExecutor: ToolExecutor
  runScopedTools: RunScopedTools
  evaluator: Evaluator
}

/**
 * Executes one tool call: reads its arguments from the thread, validates them, calls the tool and stores the result
 * in the thread. A call that already has a result is not repeated. Throws StepError.
 */
export function createCallActivity({ db, specs, toolExecutor, runScopedTools, evaluator }: CallDeps): Step {
  return async (input, showInput) => {
    const { cancellationSignal: signal } = Context.current()
    const { job } = input
    const { trace, step, call, args: callArgs, requester } = input.with as unknown as CallStep
    const place = { ...trace, position: replyPosition(step, call.index) }
    const [spec, [reply, args]] = await Promise.all([
      specs.get(job),
      db.inWorkspaceAtOnce(job.workspace_id, tx =>
        Promise.all([
          findMessage(tx, place),
          callArgs === undefined ? findArguments(tx, { trace, step, call }) : (callArgs as JsonObject),
        ]),
      ),
    ])
    if (reply) return { output: null }
    const tool = getTool(spec, call)
    const complete = await completeArguments(evaluator, job, tool, args)
    showInput?.(truncateValue(complete))
    const { allowed_hosts } = spec
    const request = { job, requester, args: complete, allowed_hosts, idempotency_key: buildIdempotencyKey(input) }
    const runScopedTool = runScopedTools(tool)
    const output = runScopedTool
      ? await runScopedTool({ ...request, spec, trace, signal })
      : (await toolExecutor.call({ ...request, tool: getToolAddress(tool) }, { signal })).output
    const labels = labelToolOutput(tool)
    const content = { call_id: call.id, name: call.name, output, ...buildLabelField(labels) }
    await db.inWorkspaceAtOnce(job.workspace_id, tx =>
      Promise.all([
        saveMessages(tx, [{ ...place, job_id: job.job_id, role: 'tool', content }]),
        saveMilestones(tx, job.job_id, [createCompletedMilestone(input, truncateValue(output), labels)]),
      ]),
    )
    return { output: null }
  }
}

const createCompletedMilestone = (
  { node: { key, id, type } }: StepInput,
  output: JsonValue,
  labels: Labels,
): NodeMilestone => {
  const node = { key, node_id: id, node_type: type }
  return { ...node, status: 'completed', at: new Date().toISOString(), output, ...buildLabelField(labels) }
}

const getToolAddress = ({ reflex, name }: RunTool) => ({ reflex_id: reflex.id, version: reflex.version, name })

const buildIdempotencyKey = ({ job, node }: StepInput): string => `${job.job_id}:${node.key}`

/** Throws StepError TOOL_UNKNOWN for a tool that is not available in the run. */
export function getTool({ tools }: NeuronRunSpec, { name }: CallRef): RunTool {
  const tool = tools.find(({ alias }) => alias === name)
  if (!tool) throw new StepError('TOOL_UNKNOWN', `The run has no tool "${name}"`)
  return tool
}

/** Returns the arguments, completed with those that the neuron sets. Throws StepError TOOL_ARGUMENTS_INVALID. */
export async function completeArguments(
  evaluator: Evaluator,
  job: Pick<JobRef, 'workspace_id'>,
  tool: RunTool,
  args: JsonObject,
): Promise<JsonObject> {
  const problems = await describeArgumentProblems(evaluator, job, tool, args)
  if (problems)
    throw new StepError('TOOL_ARGUMENTS_INVALID', `The arguments must match the tool's parameters: ${problems}`)
  return { ...args, ...tool.fixed }
}

/**
 * Returns the arguments that the model wrote. Throws StepError TOOL_UNKNOWN if the thread does not contain the call.
 */
export async function findArguments(
  tx: Tx,
  { trace, step, call }: { trace: TraceTurn; step: number; call: CallRef },
): Promise<JsonObject> {
  const message = await findMessage(tx, { ...trace, position: answerPosition(step) })
  const requested = message?.role === 'assistant' ? message.content.calls?.find(({ id }) => id === call.id) : undefined
  if (!requested) throw new StepError('TOOL_UNKNOWN', 'The thread does not contain the call')
  return requested.args
}
