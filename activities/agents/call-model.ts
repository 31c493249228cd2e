import { computeCost } from '../../domain/agents/models/cost.ts'
import { observeProviderCall } from '../../domain/agents/provider-calls.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { withSchema } from './json-answer.ts'
import type { Models } from './models/models.ts'
import { isRefusedRequest, providerError } from './models/provider-error.ts'
import { getCallOutcome } from './models/provider-outcome.ts'
import { type ModelQuestion, type StreamedAnswer, streamModel } from './stream-model.ts'

export interface ModelRequest extends ModelQuestion {
  /** Default: the MODEL_DEFAULT setting. */
  model?: string
  signal: AbortSignal
  /** Time limit from the start of the request to the last token. */
  timeoutMs: number
}

export interface ModelAnswer extends StreamedAnswer {
  /** The id of the model that responded. */
  model: string
  usage: StreamedAnswer['usage'] & {
    usd: number
    /** False if the model's price is unknown. */
    priced: boolean
  }
}

/**
 * Calls a model once and streams the answer. A refusal counts as an answer with usage. See `refusalError`. Throws the
 * signal's reason or a StepError. MODEL_RATE_LIMIT, MODEL_OVERLOADED and MODEL_UNAVAILABLE are retryable. MODEL_AUTH,
 * UNKNOWN_MODEL, MODEL_REFUSED_INPUT, MODEL_CONTEXT_OVERFLOW and MODEL_OUTPUT_TOO_LARGE are not. Error messages never
 * contain a key.
 */
export async function callModel(models: Models, request: ModelRequest): Promise<ModelAnswer> {
  const { model: id, signal, timeoutMs } = request
  const info = models.describe(id)
  const timeout = AbortSignal.timeout(timeoutMs)
  const maxOutputTokens = Math.min(request.max_output_tokens ?? Infinity, info.max_output_tokens ?? Infinity)
  const limited = { ...request, max_output_tokens: request.max_output_tokens && maxOutputTokens }
  const call = async () => {
    try {
      return await ask(models, limited, AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted)
        throw new StepError('MODEL_UNAVAILABLE', `The model did not finish within ${timeoutMs} ms`, { retryable: true })
      throw providerError(error, info.id, text => models.redact(text))
    }
  }
  const subject = { service: 'model', provider: info.provider } as const
  const answer = await observeProviderCall(models.observe, subject, call, getCallOutcome)
  return { ...answer, model: info.id, usage: { ...answer.usage, ...computeCost(info, answer.usage) } }
}

/** If a provider rejects the response format, retries the call with the schema in the instructions. */
async function ask(models: Models, request: ModelRequest, signal: AbortSignal): Promise<StreamedAnswer> {
  const model = models.find(request.model)
  const { format, ...plain } = request
  if (!format) return streamModel(model, plain, signal)
  try {
    return await streamModel(model, request, signal)
  } catch (error) {
    if (!isRefusedRequest(error)) throw error
    return streamModel(model, { ...plain, system: withSchema(request.system, format) }, signal)
  }
}

/** Creates the error for an answer with `finish: refused`. */
export const refusalError = (): StepError =>
  new StepError('MODEL_REFUSED_INPUT', 'The model or its provider refused to answer')
