import { readFileSync } from 'node:fs'
import { readEnvironment } from '../../../config/environment.ts'
import { createModels } from '../../../activities/agents/models/models.ts'
import { createNeuronActivity } from '../../../activities/agents/neuron.ts'
import type { StepResult } from '../../../activities/types.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { activityEnvironment } from '../../support/stack/activity-environment.ts'
import { recordingPublisher } from '../../support/runs/recording-publisher.ts'
import { stepInput } from '../../support/runs/step-input.ts'

const freight = readFileSync(new URL('freight-invoice.txt', import.meta.url), 'utf8')
const sample = readFileSync(new URL('../../../dev/samples/invoice.txt', import.meta.url), 'utf8')

const POLICY = `Employees may work from home on three days a week. The manager agrees on the days in advance.

Travel by train is booked in second class. For journeys of more than four hours first class may be booked.
Receipts are handed in within thirty days; later ones are not refunded.

Company phones may be used privately within Europe.`

async function ask(given: JsonObject) {
  const publisher = recordingPublisher()
  const models = createModels({
    MODEL_BASE_URL: readEnvironment()['MODEL_BASE_URL'],
    MODEL_DEFAULT: 'builtin:extractive',
  })
  const neuron = createNeuronActivity({
    models,
    publisher,
    evaluator,
    readStepFiles: async () => ({ files: [], contents: new Map() }),
    checkSpend: async () => undefined,
    timeoutMs: 60_000,
    maxChars: 100_000,
  })
  const { output }: StepResult = await activityEnvironment().run(neuron, stepInput({ type: 'neuron', with: given }))
  return {
    ...(output as { text: string; data?: JsonObject; usage: { input_tokens: number; output_tokens: number } }),
    publisher,
  }
}

describe('questions', () => {
  test.each([
    [
      'Until when must receipts be handed in?',
      'Receipts are handed in within thirty days; later ones are not refunded.',
    ],
    ['May I use my phone privately?', 'Company phones may be used privately within Europe.'],
    ['When can I travel first class?', 'For journeys of more than four hours first class may be booked.'],
  ])('%s', async (question, sentence) => {
    for (const message of [`${POLICY}\n\n${question}`, `${question}\n\n${POLICY}`])
      expect((await ask({ message })).text).toContain(sentence)
    expect((await ask({ instructions: POLICY, message: question })).text).toContain(sentence)
    expect((await ask({ instructions: question, message: POLICY })).text).toContain(sentence)
  })

  test('multiple sentences are quoted in text order', async () => {
    const { text } = await ask({ message: `${POLICY}\n\nWhat may be booked or used: first class, company phones?` })
    expect(text.indexOf('first class')).toBeGreaterThanOrEqual(0)
    expect(text.indexOf('first class')).toBeLessThan(text.indexOf('phones'))
  })

  test('a summary quotes the text', async () => {
    const { text } = await ask({ message: `Summarize this policy:\n\n${POLICY}` })
    for (const sentence of text.split(/(?<=[.!?]) /)) expect(POLICY.replaceAll('\n', ' ')).toContain(sentence)
  })

  test('the model describes itself when asked, and when nothing matches', async () => {
    expect((await ask({ message: 'Who are you?' })).text).toContain('builtin:extractive')
    const { text } = await ask({ message: `${POLICY}\n\nWhat color is the moon?` })
    expect(text).toMatch(/^Nothing in the text/)
    expect(text).toContain('builtin:extractive')
    expect((await ask({ message: '' })).text).toContain('builtin:extractive')
  })
})

test('words are streamed one by one and count as tokens', async () => {
  const { text, usage, publisher } = await ask({
    message: 'How may phones be used?\n\nCompany phones may be used privately within Europe.',
  })
  expect(publisher.tokens().join('')).toBe(text)
  expect(publisher.tokens()).toHaveLength(8)
  expect(usage).toEqual({ input_tokens: 13, output_tokens: 8 })
})

test('the same question gets the same answer', async () => {
  const message = `${POLICY}\n\nWhat about travel?`
  const [first, second] = await Promise.all([ask({ message }), ask({ message })])
  expect(first.text).toBe(second.text)
})

test('an answer can be limited in length', async () => {
  expect((await ask({ message: `${POLICY}\n\nWhat about receipts?`, max_output_tokens: 3 })).text.trim()).toBe(
    'Receipts are handed',
  )
})

const properties = {
  vendor: { type: 'string' },
  invoice_number: { type: 'string' },
  total: { type: 'number' },
  currency: { type: 'string' },
  due_date: { type: 'string', format: 'date' },
}
const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }

test.each([
  [
    'our sample',
    sample,
    {
      vendor: 'Harbour & Finch Office Interiors B.V.',
      invoice_number: 'HF-2026-004817',
      total: 17165.51,
      currency: 'EUR',
      due_date: '2026-04-13',
    },
  ],
  [
    'three pages of freight',
    freight,
    {
      vendor: 'HANSEATIC FREIGHT & LOGISTICS GMBH',
      invoice_number: 'HFL-2026-00418',
      total: 20171.18,
      currency: 'EUR',
      due_date: '2026-03-29',
    },
  ],
])('fields of an invoice: %s', async (_what, text, data) => {
  const answer = await ask({ instructions: 'You read invoices.', message: `Read this invoice:\n\n${text}`, schema })
  expect(answer.data).toEqual(data)
  expect(JSON.parse(answer.publisher.tokens().join(''))).toEqual(data)
})

test('a missing required field makes the answer invalid, and no value is invented', async () => {
  await expect(ask({ message: 'Nothing of use here.', schema })).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INVALID' })
})

/** With superlinear cost, these inputs would exceed the time limit of a test. */
describe('a text or schema designed to be slow gets an answer in time', () => {
  const long = 400_000
  test.each([
    ['cells', 'word: 12 ,,  || '.repeat(long / 16)],
    ['blanks', ' '.repeat(long)],
    ['irregular spaces', '\u00a0'.repeat(long)],
    ['spaces before a label', `a${' '.repeat(long)}b`],
    ['digits', `Total: ${'1'.repeat(long)}%`],
    ['groups of digits', `Total: ${'111 '.repeat(long / 4)}%`],
    ['line endings', 'Total\n'.repeat(long / 6)],
    ['one word', 'x'.repeat(long)],
    ['commas', 'Total,'.repeat(long / 6)],
  ])('%s', async (_what, text) => {
    await ask({ message: `Read this: ${text}`, schema: { type: 'object', properties } })
    await ask({ message: `Which total is it?\n\n${text}`, max_output_tokens: 1 })
  })

  test('an infinitely expanding schema with unusual names', async () => {
    const nested = (depth: number): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [`${i}:(<[*`, depth ? nested(depth - 1) : { type: 'string' }]),
      ),
    })
    const { data } = await ask({ message: `Read this:\n\n${freight}`, schema: nested(3) })
    expect(data).toBeDefined()
  })
})
