import { Context } from '@temporalio/activity'
import type { ModelMessage } from 'ai'
import type { Database } from '../../data/shared/database.ts'
import { saveTranscript } from '../../data/runs/job-nodes-store.ts'
import { addUsage } from '../../data/access/usage-store.ts'
import { listConversation, type NewTraceMessage, saveMessages } from '../../data/agents/trace-messages-store.ts'
import { joinLabels, type Labels } from '../../domain/pathways/labels/labels.ts'
import { describeMarks, markAsData } from '../../domain/pathways/labels/marked-data.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { ModelDecision } from '../../domain/agents/loop.ts'
import {
  type AssistantContent,
  answerPosition,
  notePosition,
  replyPosition,
  type TraceMessage,
} from '../../domain/agents/messages.ts'
import type { NeuronRunSpec } from '../../domain/agents/run-spec.ts'
import { skillsText } from '../../domain/agents/skills.ts'
import { MAX_QUERY_CHARS } from '../../domain/shared/text/search-query.ts'
import { getBrainAccess } from '../../services/access/brains.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import type { Recollections } from '../../services/agents/recollections.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { publishRunEvent } from '../../streams/run-events.ts'
import { callModel, type ModelAnswer, refusalError } from './call-model.ts'
import type { OfferedTool } from './tool-calls.ts'
import type { Models } from './models/models.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { SpendCheck } from './spend-check.ts'
import type { Step } from '../runs/step.ts'
import type { ModelStep, StepInput } from '../types.ts'
import type { ReadMessageFiles } from '../documents/message-files.ts'
import { compact } from './compaction.ts'
import { flattenConversation, type Conversation, buildConversation } from './conversation.ts'
import type { RunSpecs } from './run-specs.ts'
import { type Refusal, interpretAnswer } from './interpret-answer.ts'
import { estimateTokens } from '../../domain/search/chunking/approximate-tokens.ts'
import type { ModelInfo } from '../../domain/agents/models/model-info.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

export interface ModelDeps {
  db: Database
  models: Models
  specs: RunSpecs
  recollections: Pick<Recollections, 'recall'>
  publisher: Pick<JobPublisher, 'publish'>
  /** Time limit from the start of the request to the last token. */
  timeoutMs: number
  maxChars: number
  evaluator: Evaluator
  checkSpend: SpendCheck
  readMessageFiles: ReadMessageFiles
}

const RECALL_MS = 3_000
const RECALLED = 5

/**
 * Creates the activity for one step of a run. It reads the thread, calls the model, streams the answer, and stores
 * the interpreted answer, usage and transcript in one transaction. If the step is already stored, it is returned
 * without a model call. Throws StepError.
 */
export function createModelActivity(deps: ModelDeps): Step {
  const { db, specs, models, recollections, publisher, timeoutMs, maxChars, evaluator, checkSpend, readMessageFiles } =
    deps

  async function read({ job }: StepInput, { trace, step }: ModelStep, { memory }: NeuronRunSpec) {
    const messages = await db.inWorkspaceAtOnce(job.workspace_id, tx => listConversation(tx, trace, memory.messages))
    const position = answerPosition(step)
    const answerMessage = messages.find(message => message.turn === trace.turn && message.position === position)
    return { answerMessage, messages }
  }

  /** Returns the messages for the model. If they exceed the model's context, shortens them and adds a notice. */
  function fitConversation(
    conversation: Conversation,
    spec: NeuronRunSpec,
    notice: (text: string) => void,
  ): ModelMessage[] {
    const maxTokens = messageTokenBudget(models.describe(spec.model), spec)
    if (maxTokens === undefined) return flattenConversation(conversation)
    const compaction = compact(conversation, maxTokens)
    if (!compaction)
      throw new StepError(
        'MODEL_CONTEXT_OVERFLOW',
        `The conversation exceeds the ${maxTokens} tokens available to the model`,
      )
    const { shortened, dropped } = compaction
    if (shortened + dropped > 0)
      notice(
        `To fit the model's context, ${shortened} results were shortened and ${dropped} earlier messages were omitted`,
      )
    return compaction.messages
  }

  /**
   * Returns matching recollections from other threads. Returns an empty list if the run may not read them or search
   * is unavailable.
   */
  async function recallTexts({ job }: StepInput, spec: NeuronRunSpec, messages: TraceMessage[]): Promise<string[]> {
    const question = messages.findLast(({ role, content }) => role === 'user' && !('note' in content))
    if (!spec.memory.recollect || question?.role !== 'user' || !job.rights.includes('resources:read')) return []
    const principal = { workspace_id: job.workspace_id, ...getBrainAccess(job) }
    const query = cut(question.content.text, MAX_QUERY_CHARS)
    const signal = AbortSignal.timeout(RECALL_MS)
    const recalled = recollections.recall(principal, { neuron_id: spec.neuron.id, query, limit: RECALLED }, { signal })
    const { recollections: matches } = await recalled.catch(() => ({ recollections: [] }))
    return matches.map(({ text }) => text)
  }

  async function write(input: StepInput, step: ModelStep, answer: ModelAnswer, spec: NeuronRunSpec, labels: Labels) {
    const { job, node } = input
    const { decision, refused } = await interpretAnswer({ job, spec, evaluator, labels }, answer, step.final)
    const { attempt } = Context.current().info
    await db.inWorkspaceAtOnce(job.workspace_id, tx =>
      Promise.all([
        saveMessages(tx, buildMessages(input, step, answer, decision, refused)),
        addUsage(tx, job.job_id, { key: node.key, attempt, ...buildUsageEntry(answer) }),
        decision.text && saveTranscript(tx, job.job_id, node, { text: decision.text, attempt }),
      ]),
    )
    return decision
  }

  return async input => {
    const { info, cancellationSignal: signal } = Context.current()
    const { job, node } = input
    const modelStep = input.with as unknown as ModelStep
    const spec = await specs.get(job)
    const { answerMessage, messages } = await read(input, modelStep, spec)
    const where = { node_id: node.id, key: node.key }
    const { attempt } = info
    const publish = (event: JobEvent) => publishRunEvent(publisher, job, event, { key: node.key, attempt })
    if (attempt > 1) publish({ type: 'attempt_reset', ...where, attempt })
    if (answerMessage?.role === 'assistant' && answerMessage.content.decision) {
      // The attempt that stored the answer was lost, so the answer's last tokens may not have been published.
      const { decision, text } = answerMessage.content
      if (attempt > 1 && text !== '') publish({ type: 'token', token: text, ...where })
      return { output: asJson(decision), labels: decision.labels, transcript: decision.text }
    }
    await checkSpend(job.workspace_id)
    const recalled = await recallTexts(input, spec, messages)
    const fileIds = listFileIds(messages)
    const takesImages = models.describe(spec.model).capabilities.includes('vision')
    const files = await readMessageFiles(job, fileIds, { takesImages, signal })
    const labels = joinLabels(
      job.labels,
      recalled.length > 0 ? ['memory'] : [],
      fileIds.length > 0 ? ['document'] : [],
      ...messages.map(({ content }) => content.labels),
    )
    const { boundary } = spec
    const conversation = buildConversation(messages, modelStep.trace.turn, { boundary, ownLabels: job.labels, files })
    const answer = await callModel(models, {
      model: spec.model,
      system: buildSystemPrompt(spec, modelStep.final, recalled, labels) || undefined,
      messages: fitConversation(conversation, spec, message =>
        publish({ type: 'notice', ...where, code: 'CONTEXT_COMPACTED', message }),
      ),
      ...buildTools(spec, modelStep.final),
      format: spec.output_schema,
      max_output_tokens: spec.max_output_tokens,
      temperature: spec.temperature,
      maxChars,
      onToken: token => publish({ type: 'token', token, ...where }),
      signal,
      timeoutMs,
    })
    if (answer.finish === 'refused') {
      await db.inWorkspaceAtOnce(job.workspace_id, tx =>
        addUsage(tx, job.job_id, { key: node.key, attempt, ...buildUsageEntry(answer) }),
      )
      throw refusalError()
    }
    const decision = await write(input, modelStep, answer, spec, labels)
    return { output: asJson(decision), labels: decision.labels }
  }
}

/** Lists the files of the messages, latest first. */
const listFileIds = (messages: TraceMessage[]): string[] => [
  ...new Set(
    messages
      .toReversed()
      .flatMap(({ role, content }) => (role === 'user' ? (content.files ?? []).map(({ id }) => id) : [])),
  ),
]

/** Usage is recorded even for rejected answers. */
const buildUsageEntry = ({ usage: { cached_input_tokens, priced: _priced, ...usage }, model }: ModelAnswer) => ({
  usage,
  model,
  cached_input_tokens,
})

const asJson = (decision: ModelDecision): JsonValue => decision as unknown as JsonValue

/** In the last step, tools are still listed because the conversation mentions them, but the model cannot call them. */
function buildTools({ tools }: NeuronRunSpec, final: boolean) {
  if (tools.length === 0) return {}
  const named = tools.map(({ alias, description, parameters }): [string, OfferedTool] => [
    alias,
    { description, inputSchema: parameters },
  ])
  return { tools: Object.fromEntries(named), ...(final && { tool_choice: 'none' as const }) }
}

const FINAL = 'There are no steps left: answer now with what you have found.'

/** The rule about marked data only guides the model. The run enforces its own rules, even if the model ignores them. */
const buildSystemPrompt = (
  { instructions, tools, skills, boundary }: NeuronRunSpec,
  final: boolean,
  notes: string[],
  labels: Labels,
): string =>
  [
    instructions,
    skillsText(skills),
    labels.length > 0 && describeMarks(boundary),
    notes.length > 0 &&
      `Recollections of earlier conversations:\n${markAsData(notes.map(note => `- ${note}`).join('\n'), boundary)}`,
    final && tools.length > 0 && FINAL,
  ]
    .filter(Boolean)
    .join('\n\n')

function buildMessages(
  { job: { job_id } }: StepInput,
  { trace, step }: ModelStep,
  { text, calls, response_messages }: ModelAnswer,
  decision: ModelDecision,
  refused: Refusal[],
): NewTraceMessage[] {
  const assistantContent: AssistantContent = {
    text,
    ...(calls.length > 0 && { calls: calls.map(({ id, name, args }) => ({ id, name, args: args ?? {} })) }),
    ...(decision.data !== undefined && { data: decision.data }),
    ...(decision.labels && { labels: decision.labels }),
    decision,
    raw: response_messages as unknown as JsonValue,
  }
  const replies = refused.map(({ call, why }) => ({
    ...trace,
    job_id,
    position: replyPosition(step, call.index),
    role: 'tool' as const,
    content: { call_id: call.id, name: call.name, output: { error: why }, is_error: true },
  }))
  const note = decision.invalid && {
    ...trace,
    job_id,
    position: notePosition(step),
    role: 'user' as const,
    content: { text: `${decision.invalid}. Answer again, with JSON that fits.`, note: 'repair' },
  }
  return [
    { ...trace, job_id, position: answerPosition(step), role: 'assistant', content: assistantContent },
    ...replies,
    ...(note ? [note] : []),
  ]
}

/** Number of tokens reserved for the answer if neither the neuron nor the model sets a limit. */
const DEFAULT_ANSWER_TOKENS = 4_096
/** A safety margin, because the token count is an estimate. */
const USABLE_SHARE = 0.9

/** Returns the token budget for the messages, or undefined if the model's context size is unknown. */
function messageTokenBudget({ context_window, max_output_tokens }: ModelInfo, spec: NeuronRunSpec): number | undefined {
  if (context_window === null || context_window === undefined) return undefined
  const answer = spec.max_output_tokens ?? Math.min(max_output_tokens ?? DEFAULT_ANSWER_TOKENS, context_window / 4)
  const tools = spec.tools.map(({ alias, description, parameters }) => ({ alias, description, parameters }))
  const fixed = estimateTokens(spec.instructions) + estimateTokens(JSON.stringify(tools))
  return Math.max(0, Math.floor(context_window * USABLE_SHARE - answer - fixed))
}
