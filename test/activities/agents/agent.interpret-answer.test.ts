import type { Label } from '../../../domain/pathways/labels/labels.ts'
import { interpretAnswer } from '../../../activities/agents/interpret-answer.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import type { ModelAnswer } from '../../../activities/agents/call-model.ts'
import type { NeuronRunSpec, RunTool } from '../../../domain/agents/run-spec.ts'

const PARAMETERS = { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: false }

const tool = (alias: string, more: Partial<RunTool> = {}): RunTool => ({
  alias,
  name: alias,
  description: '',
  parameters: PARAMETERS,
  effect: 'read',
  source: 'openapi',
  reflex: { id: 'r', slug: 'r', version: 1 },
  approval: ['never'],
  ...more,
})

const spec = (more: Partial<NeuronRunSpec> = {}): NeuronRunSpec => ({
  neuron: { id: 'n', slug: 'n', version: 1, title: 'N' },
  neuron_type: 'agent',
  instructions: '',
  tools: [
    tool('look'),
    tool('send', { effect: 'write', approval: [{ when: 'args.to != "me"', assignees: ['group:desk'] }] }),
    tool('ask_human', { source: 'builtin' }),
    tool('desk', { source: 'neuron', effect: 'write' }),
  ],
  skills: [],
  memory: { recollect: false, messages: 50 },
  boundary: 'b',
  ...more,
})

const answer = (more: Partial<ModelAnswer>): ModelAnswer => ({
  text: '',
  calls: [],
  finish: 'stop',
  usage: { input_tokens: 3, output_tokens: 2, cached_input_tokens: 0, usd: 0.5, priced: true },
  response_messages: [],
  model: 'm',
  ...more,
})
const call = (id: string, name: string, args?: object) => ({
  id,
  name,
  raw: '',
  ...(args ? { args: args as never } : { invalid: 'the arguments are not JSON' }),
})
const interpret = (given: NeuronRunSpec, ...rest: [ModelAnswer, boolean]) =>
  interpretAnswer({ job: { workspace_id: 'w' }, spec: given, evaluator, labels: [] }, ...rest)
const judge = (...calls: ReturnType<typeof call>[]) => interpret(spec(), answer({ calls }), false)

test('calls become actions of the run', async () => {
  const { decision, refused } = await judge(
    call('1', 'look', {}),
    call('2', 'send', { to: 'me' }),
    call('3', 'send', { to: 'eve' }),
    call('4', 'ask_human', { to: 'x' }),
    call('5', 'desk', {}),
  )
  expect(decision).toMatchObject({ finish: 'calls', usage: { input_tokens: 3, output_tokens: 2, usd: 0.5 } })
  expect(refused).toEqual([])
  expect(decision.calls).toEqual([
    { id: '1', index: 0, name: 'look', kind: 'tool' },
    { id: '2', index: 1, name: 'send', kind: 'tool', writes: true },
    {
      id: '3',
      index: 2,
      name: 'send',
      kind: 'tool',
      writes: true,
      approval: { rounds: [{ assignees: ['group:desk'] }], pending: [0], decided: 0, form: PARAMETERS },
      shown: { to: 'eve' },
    },
    { id: '4', index: 3, name: 'ask_human', kind: 'ask_human', shown: { to: 'x' } },
    { id: '5', index: 4, name: 'desk', kind: 'neuron' },
  ])
})

test('invalid calls are rejected with an explanation for the model', async () => {
  const { decision, refused } = await judge(
    call('1', 'delete_all', {}),
    call('2', 'look'),
    call('3', 'look', { deep: 1 }),
  )
  expect(decision.calls.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused'])
  expect(refused.map(({ why }) => why)).toEqual([
    expect.stringContaining('no tool "delete_all"'),
    expect.stringContaining('not JSON'),
    expect.stringContaining('must match the parameters'),
  ])
})

test('a call with a duplicate id is rejected, because checks of one call would let the other one through', async () => {
  const { decision, refused } = await judge(call('1', 'send', { to: 'eve' }), call('1', 'send', { to: 'me' }))
  expect(decision.calls.map(({ kind, approval }) => [kind, approval !== undefined])).toEqual([
    ['tool', true],
    ['refused', false],
  ])
  expect(refused).toHaveLength(1)
})

test('long arguments are truncated for display', async () => {
  const { decision } = await judge(call('1', 'send', { to: 'x'.repeat(10_000) }))
  expect(JSON.stringify(decision.calls[0]?.shown).length).toBeLessThan(5_000)
})

test('the last step returns an answer, even if it requests tool calls', async () => {
  const modelAnswer = answer({ text: 'So be it.', calls: [call('1', 'look', {})], finish: 'tools' })
  expect((await interpret(spec(), modelAnswer, true)).decision).toMatchObject({
    finish: 'answer',
    text: 'So be it.',
    calls: [],
  })
})

test('a truncated answer is marked as truncated', async () => {
  expect((await interpret(spec(), answer({ text: 'So', finish: 'length' }), false)).decision).toMatchObject({
    cut: true,
  })
})

test('a structured answer is parsed, or its error is reported', async () => {
  const output_schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const read = async (text: string) => (await interpret(spec({ output_schema }), answer({ text }), false)).decision
  expect(await read('{"total": 3}')).toMatchObject({ finish: 'answer', data: { total: 3 } })
  expect(await read('{"total": "3"}')).toMatchObject({ finish: 'invalid', invalid: expect.stringContaining('/total') })
})

describe('after untrusted content has been read', () => {
  const labels: Label[] = ['search']
  const tools = [
    tool('read', { approval: [] }),
    tool('write', { effect: 'write', approval: [] }),
    tool('put', { effect: 'idempotent', approval: [] }),
    tool('free', { effect: 'write' }),
    tool('run', { effect: 'write', source: 'pathway', approval: [] }),
    tool('http_fetch', { source: 'builtin', approval: [] }),
    tool('ask_human', { source: 'builtin', approval: [] }),
  ]
  const calls = tools.map(({ alias }, i) => call(String(i), alias, {}))
  const listAsked = async (more: Partial<NeuronRunSpec>, given: Label[]) => {
    const run = { job: { workspace_id: 'w' }, spec: spec({ tools, ...more }), evaluator, labels: given }
    const { decision } = await interpretAnswer(run, answer({ calls }), false)
    expect(decision.labels).toEqual(given.length > 0 ? given : undefined)
    return decision.calls.filter(({ approval }) => approval).map(({ name }) => name)
  }

  test('calls that write or send text require approval, unless a rule overrides it', async () => {
    expect(await listAsked({}, labels)).toEqual(['write', 'put', 'run', 'http_fetch'])
    expect(await listAsked({}, [])).toEqual([])
  })

  test('pages of allowed hosts can be fetched', async () => {
    expect(await listAsked({ allowed_hosts: ['example.com'] }, labels)).toEqual(['write', 'put', 'run'])
  })
})
