import { randomUUID } from 'node:crypto'
import { Context } from '@temporalio/activity'
import { MAX_MESSAGE_FILES } from '../../domain/documents/files.ts'
import { describeMarks } from '../../domain/pathways/labels/marked-data.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import { type JsonObject, isJsonObject, type JsonSchema } from '../../domain/shared/json/json.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { publishRunEvent } from '../../streams/run-events.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import type { ReadStepFiles } from '../documents/message-files.ts'
import { readStep } from '../shared/read-step.ts'
import type { SpendCheck } from './spend-check.ts'
import type { Step } from '../runs/step.ts'
import { callModel, refusalError } from './call-model.ts'
import { buildUserMessage } from './conversation.ts'
import { createJsonReader } from './json-answer.ts'
import type { Models } from './models/models.ts'
import { z } from 'zod'

export interface NeuronDeps {
  models: Models
  publisher: Pick<JobPublisher, 'publish'>
  evaluator: Evaluator
  checkSpend: SpendCheck
  readStepFiles: ReadStepFiles
  /** Time limit from the start of the request to the last token. */
  timeoutMs: number
  maxChars: number
}

/**
 * Runs the `neuron` node: one streamed model call, with output `{text, data?, usage}`. Tokens are published to the
 * job's stream and are not in the history. A retry first publishes `attempt_reset`. After that, tokens from an
 * earlier attempt that is still running are ignored. Throws StepError.
 */
export function createNeuronActivity(deps: NeuronDeps): Step {
  const { models, publisher, evaluator, checkSpend, readStepFiles, timeoutMs, maxChars } = deps
  return async input => {
    const { info, cancellationSignal: signal } = Context.current()
    const { instructions, message, files: ids = [], schema, ...step } = readStep(neuronStep, input.with)
    const { boundary = ids.length > 0 ? randomUUID() : '', ...options } = step
    const system = boundary ? [instructions, describeMarks(boundary)].filter(Boolean).join('\n\n') : instructions
    const { job, node } = input
    const takesImages = models.describe(options.model).capabilities.includes('vision')
    const readJson = schema && createJsonReader(evaluator, input.job, schema)
    const where = { node_id: node.id, key: node.key }
    const { attempt } = info
    const publish = (event: JobEvent) => publishRunEvent(publisher, job, event, { key: node.key, attempt })
    if (attempt > 1) publish({ type: 'attempt_reset', ...where, attempt })
    const onToken = (token: string) => publish({ type: 'token', token, ...where })
    await checkSpend(job.workspace_id)
    const { files, contents } = await readStepFiles(job, ids, { takesImages, signal })
    const content = buildUserMessage({ text: message, files }, { boundary, files: contents })
    const question = { ...options, system, messages: [content], format: schema }
    const answer = await callModel(models, { ...question, signal, timeoutMs, maxChars, onToken })
    if (answer.finish === 'refused') throw refusalError()
    const { text } = answer
    const { input_tokens, output_tokens, usd } = answer.usage
    const usage = { input_tokens, output_tokens }
    const data: JsonObject = readJson ? { data: await readJson(text) } : {}
    return { output: { text, ...data, usage }, usage: { ...usage, usd }, transcript: text, model: answer.model }
  }
}

/** A `neuron` node's `with` after its expressions are evaluated. */
const neuronStep = z.object({
  model: z.string().min(1).optional(),
  instructions: z.string().optional(),
  message: z.string(),
  files: z.array(z.string()).max(MAX_MESSAGE_FILES).optional(),
  /** The boundary that marks untrusted values in the texts. */
  boundary: z.string().optional(),
  /** JSON Schema for the structured answer. */
  schema: z.custom<JsonSchema>(isJsonObject, 'must be a JSON Schema').optional(),
  max_output_tokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
})
