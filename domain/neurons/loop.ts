import type { NodeError, Usage } from '../jobs.ts'
import { isJsonObject, type JsonSchema, type JsonValue } from '../json.ts'
import type { RunLimits } from './run-spec.ts'

/** How a call is done: by an activity, as a run of its own, by asking a person; `refused` has its reply already. */
export type CallKind = 'tool' | 'pathway' | 'neuron' | 'ask_human' | 'refused'

/** A call the model asked for, as the loop sees it: what it says is in the thread. */
export interface RequestedCall {
  id: string
  /** Its place in the answer. */
  index: number
  /** The tool's alias in the run. */
  name: string
  kind: CallKind
  /** It changes something: cut off midway, nobody knows whether it has. */
  writes?: true
  /** A person has to agree first. `form` is the schema of the arguments, left out where it is long. */
  approval?: { assignees: string[]; form?: JsonSchema }
  /** The arguments, for whoever is asked; cut where they are long. */
  shown?: JsonValue
}

/** What came of a call of the model. */
export interface ModelDecision {
  finish: 'answer' | 'calls' | 'invalid'
  calls: RequestedCall[]
  /** Of the answer. */
  text?: string
  data?: JsonValue
  /** The answer was cut at its length limit. */
  cut?: boolean
  /** Why the answer does not fit its schema. */
  invalid?: string
  usage: Usage
}

export interface LoopState {
  phase: 'new' | 'calling_model' | 'running_calls' | 'awaiting_budget' | 'over'
  /** Calls of the model begun. */
  step: number
  /** Answers in a row that did not fit their schema. */
  repairs: number
  spent: Usage
  budget_usd: number | null
  /** Calls of this step that are not over; `refused` once the reply of one is under way. */
  open: RequestedCall[]
}

export interface LoopAnswer {
  text: string
  data?: JsonValue
  finish_reason: 'stop' | 'length' | 'max_steps'
}

export type LoopCommand =
  /** Ask the model; `final`: it gets no tools any more and has to answer. */
  | { type: 'call_model'; step: number; final: boolean }
  | { type: 'call'; step: number; call: RequestedCall; args?: JsonValue }
  | { type: 'approve'; step: number; call: RequestedCall }
  | { type: 'ask'; step: number; call: RequestedCall }
  | { type: 'request_budget'; step: number; spent_usd: number; budget_usd: number }
  /** Tell the model what came of a call that nothing else tells it. */
  | { type: 'reply'; step: number; call: RequestedCall; output: JsonValue; is_error: boolean }
  | { type: 'finish'; answer: LoopAnswer }
  | { type: 'fail'; error: NodeError }

/** What a person decided. `data` of null says the same as none: what was proposed stands. */
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
  /** A call is over and its reply is in the thread. A run of its own has cost something. */
  | { type: 'called'; id: string; usage?: Usage }
  | { type: 'decided'; id: string; decision: HumanDecision }
  | { type: 'answered'; id: string; output: JsonValue; is_error?: boolean }
  | { type: 'budget'; decision: HumanDecision }

type CallCompleted = Extract<LoopEvent, { type: 'called' }>

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
 * The agent's loop: what has happened, what to do next. Pure: the same state and event give the same answer, and the
 * state that came in is not changed. An event that fits nothing that is open changes nothing.
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
  // One more call than there are steps: it brings what was found into an answer.
  return [{ type: 'call_model', step: state.step, final: state.step > max_steps }]
}

function applyModelDecision(state: LoopState, decision: ModelDecision, limits: RunLimits): LoopCommand[] {
  state.spent = addUsage(state.spent, decision.usage)
  if (decision.finish === 'invalid') return repair(state, decision, limits)
  state.repairs = 0
  // What the last call asks for beside its answer is not done.
  if (decision.finish === 'answer' || state.step > limits.max_steps) return finish(state, decision, limits)
  state.phase = 'running_calls'
  state.open = decision.calls.filter(({ kind }) => kind !== 'refused')
  return state.open.length > 0 ? state.open.map(call => toCallCommand(state, call)) : continueLoop(state, limits)
}

function toCallCommand({ step }: LoopState, call: RequestedCall): LoopCommand {
  if (call.approval) return { type: 'approve', step, call }
  return call.kind === 'ask_human' ? { type: 'ask', step, call } : { type: 'call', step, call }
}

function repair(state: LoopState, { invalid = '' }: ModelDecision, limits: RunLimits): LoopCommand[] {
  state.repairs++
  if (state.repairs <= MAX_REPAIRS) return continueLoop(state, limits)
  return fail(state, { code: 'MODEL_OUTPUT_INVALID', message: `The answer does not fit the schema: ${invalid}` })
}

function finish(state: LoopState, { text = '', data, cut }: ModelDecision, { max_steps }: RunLimits): LoopCommand[] {
  state.phase = 'over'
  const finish_reason = cut ? 'length' : state.step > max_steps ? 'max_steps' : 'stop'
  return [{ type: 'finish', answer: { text, ...(data !== undefined && { data }), finish_reason } }]
}

function fail(state: LoopState, error: NodeError): LoopCommand[] {
  state.phase = 'over'
  return [{ type: 'fail', error }]
}

/** Begun, and its reply is not under way. */
const isStarted = ({ kind, approval }: RequestedCall): boolean => !approval && kind !== 'refused'

function completeCall(state: LoopState, { id, usage }: CallCompleted, limits: RunLimits): LoopCommand[] {
  const call = findCall(state, id)
  // What a person is asked is over when the reply is told, not before.
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
  const { approval: _approved, ...approved } = call
  const isEdited = data !== undefined && data !== null
  replaceCall(state, call, approved)
  if (approved.kind === 'ask_human')
    return [{ type: 'ask', step: state.step, call: { ...approved, ...(isEdited && { shown: data }) } }]
  return [{ type: 'call', step: state.step, call: approved, ...(isEdited && { args: data }) }]
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

/** The next call of the model, unless so much was spent that a person has to say whether it may be made. */
function continueLoop(state: LoopState, limits: RunLimits): LoopCommand[] {
  const { spent, budget_usd, step } = state
  if (budget_usd === null || spent.usd <= budget_usd) return callModel(state, limits)
  state.phase = 'awaiting_budget'
  return [{ type: 'request_budget', step, spent_usd: spent.usd, budget_usd }]
}

/** Agreed to without a new limit, a run may spend as much again. */
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

const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  usd: a.usd + b.usd,
})
