import { compact } from '../../../activities/agents/compaction.ts'
import type { Label } from '../../../domain/pathways/labels/labels.ts'
import { flattenConversation, buildConversation } from '../../../activities/agents/conversation.ts'
import type { ToolRequest, TraceMessage } from '../../../domain/agents/messages.ts'

let place = 0
const head = (turn: number) => ({ turn, position: place++, job_id: 'job-1', at: '2026-01-01T00:00:00Z' })
const user = (text: string, turn = 1): TraceMessage => ({ ...head(turn), role: 'user', content: { text } })
const note = (text: string, turn = 1): TraceMessage => ({
  ...head(turn),
  role: 'user',
  content: { text, note: 'repair' },
})
const assistantMessage = (text: string, turn = 1, more: object = {}): TraceMessage => ({
  ...head(turn),
  role: 'assistant',
  content: { text, ...more },
})
const call = (id: string, name = 'search'): ToolRequest => ({ id, name, args: { query: id } })
const reply = (call_id: string, output: string | object, is_error = false, turn = 1): TraceMessage => ({
  ...head(turn),
  role: 'tool',
  content: { call_id, name: 'search', output: output as string, ...(is_error && { is_error }) },
})
const build = (thread: TraceMessage[], turn: number, own: Label[] = []) =>
  buildConversation(thread, turn, { boundary: 'B7', ownLabels: own })
const flatten = (thread: TraceMessage[], turn = 1) => flattenConversation(build(thread, turn))
const usage = { input_tokens: 0, output_tokens: 0, usd: 0 }
const notTaken = (text: string, turn = 1) =>
  assistantMessage(text, turn, { decision: { finish: 'invalid', calls: [], usage, invalid: 'no' } })
const asks = (...calls: ToolRequest[]) => ({
  role: 'assistant',
  content: calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })),
})
const result = (id: string, output: object) => ({ type: 'tool-result', toolCallId: id, toolName: 'search', output })

describe('a thread as sent to the model', () => {
  test('contains the text of earlier turns, without calls and results', () => {
    const thread = [
      user('First?'),
      assistantMessage('Let me see.', 1, { calls: [call('a')] }),
      reply('a', 'found'),
      assistantMessage('It is so.'),
      user('And now?', 2),
    ]
    expect(flatten(thread, 2)).toEqual([
      { role: 'user', content: 'First?' },
      { role: 'assistant', content: 'Let me see.' },
      { role: 'assistant', content: 'It is so.' },
      { role: 'user', content: 'And now?' },
    ])
  })

  test('starts with a user message, even if earlier messages are cut off', () => {
    const thread = [
      assistantMessage('the end of an answer'),
      user('Second?'),
      assistantMessage('Yes.'),
      user('Third?', 2),
    ]
    expect(flatten(thread, 2).map(({ content }) => content)).toEqual(['Second?', 'Yes.', 'Third?'])
    expect(flatten([assistantMessage('only this'), user('Third?', 2)], 2)).toEqual([
      { role: 'user', content: 'Third?' },
    ])
  })

  test('drops rejected answers from earlier turns, and the reasons', () => {
    const thread = [
      user('Total?'),
      notTaken('twelve'),
      note('no. Answer again'),
      assistantMessage('{"total":12}'),
      user('Sure?', 2),
    ]
    expect(flatten(thread, 2).map(({ content }) => content)).toEqual(['Total?', '{"total":12}', 'Sure?'])
  })

  test('keeps rejected answers from the current turn', () => {
    const thread = [user('Total?'), notTaken('twelve'), note('no. Answer again')]
    expect(flatten(thread)).toMatchObject([
      { role: 'user', content: 'Total?' },
      { role: 'assistant' },
      { role: 'user', content: 'no. Answer again' },
    ])
  })

  test('contains the replies of this turn under their call ids, in call order', () => {
    const thread = [
      user('Look.'),
      assistantMessage('', 1, { calls: [call('a'), call('b'), call('c')] }),
      reply('b', { error: 'gone' }, true),
      reply('a', { found: 1 }),
      reply('c', 'text'),
    ]
    expect(flatten(thread).slice(1)).toEqual([
      asks(call('a'), call('b'), call('c')),
      {
        role: 'tool',
        content: [
          result('a', { type: 'json', value: { found: 1 } }),
          result('b', { type: 'error-json', value: { error: 'gone' } }),
          result('c', { type: 'text', value: 'text' }),
        ],
      },
    ])
  })

  test('distinguishes calls with the same id in two steps', () => {
    const thread = [
      user('Look.'),
      assistantMessage('', 1, { calls: [call('a')] }),
      reply('a', 'one'),
      assistantMessage('', 1, { calls: [call('a')] }),
      reply('a', 'two'),
    ]
    const results = flatten(thread).filter(({ role }) => role === 'tool')
    expect(results).toMatchObject([
      { content: [{ output: { value: 'one' } }] },
      { content: [{ output: { value: 'two' } }] },
    ])
  })

  test('adds a reply for an unanswered call', () => {
    const thread = [user('Look.'), assistantMessage('', 1, { calls: [call('a')] })]
    expect(flatten(thread).at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'a', output: { type: 'error-text' } }],
    })
  })

  test("contains an answer in its provider's format, if stored", () => {
    const raw = [
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm', providerOptions: { x: { s: '1' } } }] },
    ]
    expect(flatten([user('Think.'), assistantMessage('hm', 1, { raw })], 1).slice(1)).toEqual(raw)
  })
})

describe('an oversized conversation', () => {
  const words = (count: number) => 'word '.repeat(count)
  const roles = (messages: { role: string }[] | undefined) => messages?.map(({ role }) => role).join(' ')
  const step = (id: string, size: number) => [assistantMessage('', 1, { calls: [call(id)] }), reply(id, words(size))]

  test('stays unchanged if it fits the limit', () => {
    const conversation = build([user('Hi.'), assistantMessage('Hello.')], 1)
    expect(compact(conversation, 1_000)).toEqual({
      messages: flattenConversation(conversation),
      shortened: 0,
      dropped: 0,
    })
  })

  test('visibly drops the oldest results first, and keeps the last two in full', () => {
    const conversation = build([user('Look.'), ...step('a', 900), ...step('b', 900), ...step('c', 900)], 1)
    const fits = compact(conversation, 2_400)
    expect(fits).toMatchObject({ shortened: 1, dropped: 0 })
    expect(JSON.stringify(fits?.messages[2])).toContain('more characters were left out')
    expect(fits?.messages.slice(3)).toEqual(flattenConversation(conversation).slice(3))
  })

  test('then drops the oldest turns, but never the last user message', () => {
    const thread = [
      user(words(500)),
      assistantMessage(words(500)),
      user('And this?', 2),
      assistantMessage('Yes.', 2),
      user('And now?', 3),
    ]
    const fits = compact(build(thread, 3), 100)
    expect(fits?.messages.map(({ content }) => content)).toEqual(['And this?', 'Yes.', 'And now?'])
    expect(fits?.dropped).toBe(2)
  })

  test('then drops the oldest steps, and tells the model', () => {
    const steps = ['a', 'b', 'c', 'd', 'e'].flatMap(id => step(id, 150))
    const fits = compact(build([user('Look.'), ...steps], 1), 700)
    expect(fits?.messages[0]?.content).toBe('Look.\n\n[… first steps, left out to make room: 3]')
    expect(roles(fits?.messages)).toBe('user assistant tool assistant tool')
    expect(JSON.stringify(fits?.messages)).not.toContain('"a"')
    expect(JSON.stringify(fits?.messages.at(-1))).toContain('"e"')
  })

  test('keeps the question after a rejected answer', () => {
    const earlier = [user(words(500)), assistantMessage('Yes.')]
    const taken = [notTaken(words(300), 2), note('Answer again.', 2), notTaken('12', 2), note('Once more.', 2)]
    const fits = compact(build([...earlier, user('Total?', 2), ...taken], 2), 500)
    expect(fits?.dropped).toBe(2)
    expect(fits?.messages[0]).toEqual({ role: 'user', content: 'Total?' })
    expect(fits?.messages.at(-1)).toEqual({ role: 'user', content: 'Once more.' })
  })

  test.each([300, 600, 1_200])(
    'starts with a user message and keeps each result after its call, in %i tokens',
    fixture => {
      const thread = [
        user(words(100)),
        ...step('a', 150),
        ...step('b', 200),
        notTaken(words(50)),
        note('Answer again.'),
      ]
      const fits = compact(build(thread, 1), fixture)
      expect(roles(fits?.messages)).toMatch(/^user( assistant tool)*( assistant)?( user)?$/)
    },
  )

  test('shortens the last results if nothing else remains', () => {
    const fits = compact(build([user('Look.'), ...step('a', 5_000)], 1), 600)
    expect(fits).toMatchObject({ shortened: 1, dropped: 0 })
    expect(roles(fits?.messages)).toBe('user assistant tool')
  })

  test('returns undefined if it cannot be shortened enough', () => {
    expect(compact(build([user(words(2_000))], 1), 100)).toBeUndefined()
  })
})
