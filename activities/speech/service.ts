import { Agent, fetch, FormData, type Response } from 'undici'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { type ObserveProviderCall, observeProviderCall } from '../../domain/agents/provider-calls.ts'
import { AUDIO_MEDIA_TYPES, type PieceFormat } from '../../domain/speech/audio.ts'
import type { PieceAnswer } from '../../domain/speech/transcript.ts'
import { getCallOutcome } from '../agents/models/provider-outcome.ts'
import { retryAfterMs } from '../shared/retry-after.ts'
import { parseExternalJson } from '../../domain/shared/json/parsing/parse-external-json.ts'
import { StepError } from '../../domain/runs/step-error.ts'

export interface SpokenPiece {
  bytes: Uint8Array
  format: PieceFormat
  /** ISO 639-1. If undefined, the service detects the language. */
  language?: string
}

/** Transcribes one piece of audio with one request. Temporal handles retries. */
export interface SpeechService {
  /**
   * Throws the signal's reason or a StepError. SPEECH_RATE_LIMIT, SPEECH_UNAVAILABLE, SPEECH_TIMEOUT and
   * SPEECH_BAD_ANSWER are retryable. SPEECH_AUTH, SPEECH_UNKNOWN_MODEL, SPEECH_REFUSED_AUDIO and SPEECH_OFF are not.
   */
  transcribe(audio: SpokenPiece, signal: AbortSignal): Promise<PieceAnswer>
  close(): Promise<void>
}

type Settings = Pick<Config, 'SPEECH_URL' | 'SPEECH_API_KEY' | 'SPEECH_MODEL' | 'SPEECH_TIMEOUT_SECONDS'>

/** Large enough for long pieces, because a minute of speech takes only a few kilobytes. */
const MAX_ANSWER_BYTES = 4_000_000
const TEXT_CHARS = 100_000
/** OpenAI models that return no timestamps, such as `gpt-4o-transcribe`. */
const WITHOUT_TIMES = /^gpt-.*transcribe/
/** Larger than the end of any piece. */
const WHOLE = 1_000_000

const time = z.number().min(0).max(1_000_000)
const answerSchema = z.object({
  text: z.string().max(TEXT_CHARS),
  language: z.string().max(100).nullish(),
  segments: z
    .array(z.object({ start: time, end: time, text: z.string().max(TEXT_CHARS) }))
    .max(10_000)
    .nullish(),
})

/** Opens a client for OpenAI's transcription API, which other services also implement. */
export function openSpeechService(settings: Settings, observe: ObserveProviderCall = () => undefined): SpeechService {
  const { SPEECH_URL, SPEECH_API_KEY: key, SPEECH_MODEL: model } = settings
  const timeoutMs = settings.SPEECH_TIMEOUT_SECONDS * 1_000
  const url = SPEECH_URL && `${SPEECH_URL.replace(/\/+$/, '')}/audio/transcriptions`
  // Only the request timeout applies, because a slow machine may take a long time to respond.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })

  async function ask(address: string, form: FormData, signal: AbortSignal): Promise<PieceAnswer> {
    const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` }
    const response = await fetch(address, {
      method: 'POST',
      body: form,
      headers,
      signal,
      dispatcher,
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw speechServiceError(response, model)
    }
    return parseAnswer(await readAnswer(response))
  }

  async function request(address: string, piece: SpokenPiece, caller: AbortSignal): Promise<PieceAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await ask(address, buildForm(piece, model), AbortSignal.any([caller, timeout]))
    } catch (error) {
      caller.throwIfAborted()
      if (timeout.aborted)
        throw transientError('SPEECH_TIMEOUT', `The speech service did not respond within ${timeoutMs / 1_000} seconds`)
      throw error instanceof StepError ? error : connectionError(error)
    }
  }

  return {
    async transcribe(piece, caller) {
      if (!url) throw new StepError('SPEECH_OFF', 'No speech service is configured')
      const call = () => request(url, piece, caller)
      return observeProviderCall(observe, { service: 'speech', provider: 'openai-compatible' }, call, getCallOutcome)
    },
    close: () => dispatcher.destroy(),
  }
}

function buildForm({ bytes, format, language }: SpokenPiece, model: string): FormData {
  const form = new FormData()
  form.set('file', new File([bytes], `audio.${format}`, { type: AUDIO_MEDIA_TYPES[format] }))
  form.set('model', model)
  if (language !== undefined) form.set('language', language)
  form.set('response_format', WITHOUT_TIMES.test(model) ? 'json' : 'verbose_json')
  return form
}

async function readAnswer(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > MAX_ANSWER_BYTES) throw badAnswerError()
    parts.push(part)
  }
  return Buffer.concat(parts, size).toString('utf8')
}

/** Without timestamps, the whole text becomes one segment with the duration of the piece. */
function parseAnswer(body: string): PieceAnswer {
  const parsed = answerSchema.safeParse(parseJson(body))
  if (!parsed.success) throw badAnswerError(parsed.error)
  const { text, language, segments } = parsed.data
  const spoken = (segments ?? [{ start: 0, end: WHOLE, text }])
    .map(({ start, end, text }) => ({ start, end: Math.max(start, end), text: text.trim() }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.start - b.start)
  return { text: text.trim(), ...(language && { language }), segments: spoken }
}

function parseJson(body: string): unknown {
  try {
    return parseExternalJson(body)
  } catch (error) {
    throw badAnswerError(error)
  }
}

/**
 * Converts a rejection to an error. The error does not quote the service, because the service's message may contain
 * speech.
 */
function speechServiceError({ status, headers }: Response, model: string): StepError {
  if (status === 401 || status === 403)
    return new StepError('SPEECH_AUTH', `The speech service rejected the credentials (${status})`)
  if (status === 404)
    return new StepError(
      'SPEECH_UNKNOWN_MODEL',
      `The speech service does not know the model "${model}" or the URL path`,
    )
  if (status === 429) {
    const retryAfter = retryAfterMs(headers.get('retry-after') ?? undefined, Date.now())
    return transientError('SPEECH_RATE_LIMIT', "The speech service's rate limit is exceeded", {
      retryAfterMs: retryAfter,
    })
  }
  if (status >= 400 && status < 500 && status !== 408 && status !== 409)
    return new StepError('SPEECH_REFUSED_AUDIO', `The speech service rejected the audio (${status})`)
  return transientError('SPEECH_UNAVAILABLE', `The speech service returned an error (${status})`)
}

const connectionError = (cause: unknown) =>
  transientError('SPEECH_UNAVAILABLE', 'The speech service could not be reached or closed the connection', { cause })

const badAnswerError = (cause?: unknown) =>
  transientError('SPEECH_BAD_ANSWER', 'The speech service returned an invalid response', { cause })

const transientError = (code: string, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) =>
  new StepError(code, message, { retryable: true, ...options })
