import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../../domain/json.ts'
import { EXTRACTIVE } from '../../../domain/models/registry.ts'
import { answer } from './answer.ts'
import { fill } from './fill.ts'
import { promptTexts, splitQuestion } from './prompt.ts'
import { createSource } from './source.ts'
import { countWords } from './words.ts'

/** Between two words, in milliseconds: an answer should be seen to arrive. */
const PACE_MS = 7

/**
 * A stand-in that needs no key: it answers with the best-matching sentences of its prompt, or fills a JSON schema from
 * it by rule. Deterministic; a word counts as a token.
 */
export function createExtractiveModel(paceMs: number = PACE_MS): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'builtin',
    modelId: EXTRACTIVE,
    supportedUrls: {},
    async doGenerate(options) {
      const { text, ...rest } = compose(options)
      return { ...rest, content: [{ type: 'text', text }], warnings: [] }
    },
    async doStream(options) {
      return { stream: ReadableStream.from(stream(options, paceMs)) }
    },
  }
}

async function* stream(options: LanguageModelV4CallOptions, paceMs: number): AsyncGenerator<LanguageModelV4StreamPart> {
  const { text, finishReason, usage } = compose(options)
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: 'answer' }
  for (const [delta] of text.matchAll(/\s*\S+\s*/g)) {
    await sleep(paceMs, undefined, { signal: options.abortSignal })
    yield { type: 'text-delta', id: 'answer', delta }
  }
  yield { type: 'text-end', id: 'answer' }
  yield { type: 'finish', finishReason, usage }
}

function compose({ prompt, responseFormat, maxOutputTokens = Infinity }: LanguageModelV4CallOptions) {
  const { instructions, message } = promptTexts(prompt)
  const asked = splitQuestion(instructions, message)
  const whole =
    responseFormat?.type === 'json'
      ? JSON.stringify(
          fill(createSource(asked), (responseFormat.schema ?? { type: 'object' }) as JsonObject) ?? null,
          null,
          1,
        )
      : answer(asked)
  const words = whole.match(/\s*\S+\s*/g) ?? []
  const text = words.slice(0, maxOutputTokens).join('')
  const cut = words.length > maxOutputTokens
  return {
    text,
    finishReason: { unified: cut ? ('length' as const) : ('stop' as const), raw: undefined },
    usage: usageOf(countWords(instructions) + countWords(message), countWords(text)),
  }
}

function usageOf(read: number, written: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: read, noCache: read, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: written, text: written, reasoning: undefined },
  }
}
