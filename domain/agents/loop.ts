import { addUsage, type Usage } from '../access/usage.ts'
import type { NodeError } from '../runs/nodes.ts'
import type { Label } from '../pathways/labels/labels.ts'
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../shared/json/json.ts'
import { truncateValue } from '../people/shown-value.ts'
import type { ApprovalRound } from './approval.ts'
import type { RunLimits } from './run-spec.ts'

/**
 * How a call is executed: as an activity, a child run or a task for a person. A `refused` call already has its reply.
 */
export type CallKind = 'tool' | 'pathway' | 'neuron' | 'ask_human' | 'refused'

/** The approval that a call requires. */
export interface CallApproval {
  rounds: ApprovalRound[]
  /** Indexes of the rounds that have not approved the current arguments. The first one is open. */
  pending: number[]
  /** Number of decisions so far. */
  decided: number
  /** Schema of the arguments. Absent if the schema is too long. */
  form?: JsonSchema
  /** Arguments fixed by the agent. */
  fixed?: JsonObject
  /** Sources of untrusted content that the model had read when it requested the call. */
  labels?: Label[]
}

/** A tool call requested by the model. Its content is stored in the thread. */
export interface RequestedCall {
  id: string
  /** Index of the call in the answer. */
  index: number
  /** Alias of the tool in the run. */
  name: string
  kind: CallKind
  /** The call changes something. If the call is interrupted, its outcome is unknown. */
  writes?: true
  /**
   * The call is short and changes nothing, so it may run within a workflow task. Absent in runs of earlier versions.
   */
  is_short?: true
  approval?: CallApproval
  /** Arguments changed by a person. */
  args?: JsonValue
  /** Arguments as shown to people. Long arguments are truncated. */
  shown?: JsonValue
}

/** Outcome of a model call. */
export interface ModelDecision {
  finish: 'answer' | 'calls' | 'invalid'
  calls: RequestedCall[]
  /** Text of the answer. */
  text?: string
  data?: JsonValue
  /** The answer was cut off at its length limit. */
  cut?: boolean
  /** Reason why the answer doesn't match its schema. */
  invalid?: string
  usage: Usage
  /** Sources of untrusted content that the model had read. */
  labels?: Label[]
}

export interface LoopState {
  phase: 'new' | 'calling_model' | 'running_calls' | 'awaiting_budget' | 'over'
  /** Number of model calls started. */
  step: number
  /** Number of consecutive answers that did not match their schema. */
  repairs: number
  spent: Usage
  budget_usd: number | null
  /** Unfinished calls of this step. A call becomes `refused` while its reply is being written. */
  open: RequestedCall[]
  /** Sources of untrusted content that the model had read at its last step. */
  labels?: Label[]
}

export interface LoopAnswer {
  text: string
  data?: JsonValue
  finish_reason: 'stop' | 'length' | 'max_steps'
  labels?: Label[]
}

export type LoopCommand =
  /** Calls the model. `final`: the model gets no tools and must answer. */
  | { type: 'call_model'; step: number; final: boolean }
  | { type: 'call'; step: number; call: RequestedCall; args?: JsonValue; labels?: Label[] }
  | { type: 'approve'; step: number; call: RequestedCall }
  | { type: 'ask'; step: number; call: RequestedCall }
  | { type: 'request_budget'; step: number; spent_usd: number; budget_usd: number }
  /** Writes the reply to a call that runs neither as an activity nor as a child run. */
  | { type: 'reply'; step: number; call: RequestedCall; output: JsonValue; is_error: boolean }
  | { type: 'finish'; answer: LoopAnswer }
  | { type: 'fail'; error: NodeError }

/** A person's decision. `data: null` means the same as no data: the proposal is unchanged. */
export interface HumanDecision {
  action: 'approve' | 'reject'
  by: string
  comment?: string
  data?: JsonValue
}

export type LoopEvent =
  | { type: 'start' }
  | { type: 'model_decided'; decision: ModelDecision }
  | { type: 'failed'; error: NodeError }
  /** A call has finished and its reply is in the thread. `usage` is set for a child run. */
  | { type: 'called'; id: string; usage?: Usage }
  | { type: 'decided'; id: string; decision: HumanDecision }
  | { type: 'answered'; id: string; output: JsonValue; is_error?: boolean }
  | { type: 'budget'; decision: HumanDecision }

type CallCompletion = Extract<LoopEvent, { type: 'called' }>

const MAX_REPAIRS = 2

export const createLoopState = ({ budget_usd }: RunLimits): LoopState => ({
  phase: 'new',
  step: 0,
  repairs: 0,
  spent: { input_tokens: 0, output_tokens: 0, usd: 0 },
  budget_usd,
  open: [],
})

/**
 * Computes the next state and its commands without modifying the given state. Events that match nothing have no
 * effect.
 */
export function advance(
  state: LoopState,
  event: LoopEvent,
  limits: RunLimits,
): { state: LoopState; commands: LoopCommand[] } {
  const next: LoopState = { ...state, open: [...state.open] }
  return { state: next, commands: handleEvent(next, event, limits) }
}

function handleEvent(state: LoopState, event: LoopEvent, limits: RunLimits): LoopCommand[] {
  switch (event.type) {
    case 'start':
      return state.phase === 'new' ? callModel(state, limits) : []
    case 'model_decided':
      return state.phase === 'calling_model' ? applyModelDecision(state, event.decision, limits) : []
    case 'failed':
      return state.phase === 'calling_model' ? fail(state, event.error) : []
    case 'called':
      return completeCall(state, event, limits)
    case 'decided':
      return applyDecision(state, event.id, event.decision)
    case 'answered':
      return applyAnswer(state, event.id, event.output, event.is_error ?? false)
    case 'budget':
      return state.phase === 'awaiting_budget' ? resumeAfterBudget(state, event.decision, limits) : []
    default:
      return []
  }
}

function callModel(state: LoopState, { max_steps }: RunLimits): LoopCommand[] {
  state.phase = 'calling_model'
  state.step++
  // After the last step, one more call turns the results into an answer.
  return [{ type: 'call_model', step: state.step, final: state.step > max_steps }]
}

function applyModelDecision(state: LoopState, decision: ModelDecision, limits: RunLimits): LoopCommand[] {
  state.spent = addUsage(state.spent, decision.usage)
  state.labels = decision.labels
  if (decision.finish === 'invalid') return repair(state, decision, limits)
  state.repairs = 0
  // Tool calls that accompany a final answer are not executed.
  if (decision.finish === 'answer' || state.step > limits.max_steps) return finish(state, decision, limits)
  state.phase = 'running_calls'
  state.open = decision.calls.filter(({ kind }) => kind !== 'refused')
  return state.open.length > 0 ? state.open.map(call => createCallCommand(state, call)) : continueLoop(state, limits)
}

function createCallCommand({ step, labels }: Pick<LoopState, 'step' | 'labels'>, call: RequestedCall): LoopCommand {
  if (call.approval) return { type: 'approve', step, call }
  if (call.kind === 'ask_human') return { type: 'ask', step, call }
  const { args, ...requested } = call
  return { type: 'call', step, call: requested, ...(args !== undefined && { args }), ...(labels && { labels }) }
}

function repair(state: LoopState, { invalid = '' }: ModelDecision, limits: RunLimits): LoopCommand[] {
  state.repairs++
  if (state.repairs <= MAX_REPAIRS) return continueLoop(state, limits)
  return fail(state, { code: 'MODEL_OUTPUT_INVALID', message: `The answer does not match the schema: ${invalid}` })
}

function finish(
  state: LoopState,
  { text = '', data, cut, labels }: ModelDecision,
  { max_steps }: RunLimits,
): LoopCommand[] {
  state.phase = 'over'
  const finish_reason = cut ? 'length' : state.step > max_steps ? 'max_steps' : 'stop'
  return [
    { type: 'finish', answer: { text, ...(data !== undefined && { data }), finish_reason, ...(labels && { labels }) } },
  ]
}

function fail(state: LoopState, error: NodeError): LoopCommand[] {
  state.phase = 'over'
  return [{ type: 'fail', error }]
}

/** Returns whether a call has started and its reply is not being written yet. */
const isStarted = ({ kind, approval }: RequestedCall): boolean => !approval && kind !== 'refused'

function completeCall(state: LoopState, { id, usage }: CallCompletion, limits: RunLimits): LoopCommand[] {
  const call = findCall(state, id)
  // A call to a person ends only when its reply is written (`refused`).
  if (!call || call.approval || call.kind === 'ask_human') return []
  if (usage) state.spent = addUsage(state.spent, usage)
  state.open = state.open.filter(other => other !== call)
  return state.open.length === 0 ? continueLoop(state, limits) : []
}

function applyDecision(state: LoopState, id: string, { action, by, comment, data }: HumanDecision): LoopCommand[] {
  const call = findCall(state, id)
  if (!call?.approval) return []
  if (action === 'reject') {
    const output = { error: 'the call was rejected', by, ...(comment !== undefined && { comment }) }
    return replyToCall(state, call, output, true)
  }
  const updatedCall = approveRound(call, call.approval, data ?? undefined)
  const { approval, ...approved } = updatedCall
  if (approval && approval.pending.length > 0) {
    replaceCall(state, call, updatedCall)
    return [{ type: 'approve', step: state.step, call: updatedCall }]
  }
  replaceCall(state, call, approved)
  // An approving person vouches for the arguments.
  return [createCallCommand({ step: state.step }, approved)]
}

/** Removes the approving round. Changed arguments need approval from all other rounds, including earlier ones. */
function approveRound(call: RequestedCall, approval: CallApproval, data?: JsonValue): RequestedCall {
  const { rounds, pending, decided: decidedCount, fixed } = approval
  const [current, ...others] = pending
  const isEdited = data !== undefined
  const remainingRounds = isEdited ? [...rounds.keys()].filter(round => round !== current) : others
  const next = { ...call, approval: { ...approval, pending: remainingRounds, decided: decidedCount + 1 } }
  return isEdited
    ? { ...next, args: data, shown: truncateValue(isJsonObject(data) ? { ...data, ...fixed } : data) }
    : next
}

function applyAnswer(state: LoopState, id: string, output: JsonValue, is_error: boolean): LoopCommand[] {
  const call = findCall(state, id)
  return call && isStarted(call) ? replyToCall(state, call, output, is_error) : []
}

function replyToCall(state: LoopState, call: RequestedCall, output: JsonValue, is_error: boolean): LoopCommand[] {
  const { approval: _decided, ...rest } = call
  replaceCall(state, call, { ...rest, kind: 'refused' })
  return [{ type: 'reply', step: state.step, call, output, is_error }]
}

const findCall = ({ open }: LoopState, id: string): RequestedCall | undefined => open.find(call => call.id === id)

function replaceCall(state: LoopState, call: RequestedCall, by: RequestedCall): void {
  state.open = state.open.map(other => (other === call ? by : other))
}

/** Calls the model again. If the budget is exceeded, asks a person to raise it. */
function continueLoop(state: LoopState, limits: RunLimits): LoopCommand[] {
  const { spent, budget_usd, step } = state
  if (budget_usd === null || spent.usd <= budget_usd) return callModel(state, limits)
  state.phase = 'awaiting_budget'
  return [{ type: 'request_budget', step, spent_usd: spent.usd, budget_usd }]
}

/** Applies the budget decision. Approval without a new limit adds the original limit once more. */
function resumeAfterBudget(state: LoopState, { action, by, data }: HumanDecision, limits: RunLimits): LoopCommand[] {
  if (action === 'reject')
    return fail(state, {
      code: 'BUDGET_EXCEEDED',
      message: `${by} declined to spend more than ${state.budget_usd} USD`,
    })
  const requested = isJsonObject(data) ? data.budget_usd : undefined
  state.budget_usd =
    typeof requested === 'number' ? requested : state.spent.usd + (limits.budget_usd ?? state.spent.usd)
  return continueLoop(state, limits)
}
