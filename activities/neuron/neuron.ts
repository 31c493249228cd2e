import { Context } from '@temporalio/activity'
import type { JobEvent } from '../../domain/jobs.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import { startDeadline } from '../deadline.ts'
import { readStep } from '../read-step.ts'
import { StepError } from '../step-error.ts'
import type { Step } from '../step.ts'
import { createJsonReader, withSchema } from './json-answer.ts'
import type { Models } from './models.ts'
import { neuronStep } from './neuron-step.ts'
import { isRefusedRequest, providerError } from './provider-error.ts'
import { type ModelAnswer, type ModelCall, streamAnswer } from './stream-answer.ts'

export interface NeuronDeps {
  models: Models
  publisher: Pick<JobPublisher, 'publish'>
  /** From the request to the last token. */
  timeoutMs: number
  maxChars: number
}

/**
 * The `neuron` node: one streamed call of a model, with output `{text, data?, usage}`. Its tokens go to the job's stream
 * as they come and never into history; a second attempt first says that the text begins anew, and from then on the first
 * one, should it still run, is not heard. Throws StepError.
 */
export function createNeuronActivity({ models, publisher, timeoutMs, maxChars }: NeuronDeps): Step {
  return async input => {
    const { info, cancellationSignal } = Context.current()
    const { model: id, schema, ...asked } = readStep(neuronStep, input.with)
    const { job, node } = input
    const model = models.find(id)
    const readJson = schema && createJsonReader(schema)
    const where = { node_id: node.id, key: node.key }
    const { attempt } = info
    const publish = (event: JobEvent) => publisher.publish(job.job_id, event, { key: node.key, attempt })
    if (attempt > 1) publish({ type: 'attempt_reset', ...where, attempt })
    const deadline = startDeadline(timeoutMs, cancellationSignal)
    const onToken = (token: string) => publish({ type: 'token', token, ...where })
    try {
      const { text, usage } = await ask({ ...asked, model, format: schema, signal: deadline.signal, maxChars, onToken })
      const data: JsonObject = readJson ? { data: readJson(text) } : {}
      return { output: { text, ...data, usage }, usage: { ...usage, usd: 0 }, transcript: text }
    } catch (error) {
      cancellationSignal.throwIfAborted()
      if (deadline.expired())
        throw new StepError('MODEL_UNAVAILABLE', `The model did not finish within ${timeoutMs} ms`, { retryable: true })
      throw providerError(error, model.modelId, text => models.redact(text))
    } finally {
      deadline.done()
    }
  }
}

/** Providers that refuse the response format are asked once more in words. */
async function ask(call: ModelCall): Promise<ModelAnswer> {
  const { format, ...plain } = call
  if (!format) return streamAnswer(plain)
  try {
    return await streamAnswer(call)
  } catch (error) {
    if (!isRefusedRequest(error)) throw error
    return streamAnswer({ ...plain, instructions: withSchema(call.instructions, format) })
  }
}
