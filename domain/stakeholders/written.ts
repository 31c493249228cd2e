import { z } from 'zod'
import type { JsonSchema } from '../shared/json/json.ts'

/** A model's answer: sentences with the numbers of the facts they are based on. */
export const writtenAnswer = z.object({
  sentences: z.array(z.object({ text: z.string().max(2_000), facts: z.array(z.int()).max(50) })).max(60),
})

export const WRITTEN_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    sentences: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'One sentence' },
          facts: {
            type: 'array',
            items: { type: 'integer' },
            description: 'Numbers of the supporting facts',
          },
        },
        required: ['text', 'facts'],
        additionalProperties: false,
      },
    },
  },
  required: ['sentences'],
  additionalProperties: false,
}

export const WRITTEN_SYSTEM =
  'You write a briefing on one person from numbered facts. Write at most ten short sentences. Each sentence says only what its facts say, and lists their numbers. Do not add judgments, names or numbers that the facts do not have.'

/** A word that carries information: a name or a number. Other words may be the model's own wording. */
const NAME_OR_NUMBER = /\p{N}+(?:[.,]\p{N}+)*|(?<![.!?:“"]\s|^)\b\p{Lu}[\p{L}\p{M}’'-]+/gu

/**
 * Keeps sentences that are supported by their cited facts: every citation exists, and every number and name in the
 * sentence appears in a cited fact. Also returns the number of dropped sentences.
 */
export function checkWritten(
  answer: z.output<typeof writtenAnswer>,
  facts: string[],
): { sentences: { text: string; facts: number[] }[]; left_out: number } {
  const sentences = answer.sentences
    .map(({ text, facts }) => ({ text: text.trim(), facts: [...new Set(facts)] }))
    .filter(({ text, facts: cited }) => {
      if (text === '' || cited.length === 0 || cited.some(n => facts[n - 1] === undefined)) return false
      const support = cited
        .map(n => facts[n - 1])
        .join('\n')
        .toLowerCase()
      return (text.match(NAME_OR_NUMBER) ?? []).every(word => support.includes(word.toLowerCase()))
    })
  return { sentences, left_out: answer.sentences.length - sentences.length }
}
