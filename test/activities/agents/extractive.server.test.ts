import { readEnvironment } from '../../../config/environment.ts'

const MODEL = 'builtin:extractive'
const messages = [{ role: 'user', content: 'Who sent it?\n\nThe parcel was sent by Ann. It rains.' }]
const tools = [
  { type: 'function', function: { name: 'pay', parameters: { properties: { amount: { type: 'number' } } } } },
]

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${readEnvironment()['MODEL_BASE_URL']}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

test('a request without streaming gets the whole answer at once', async () => {
  const answer = await post('/chat/completions', { model: MODEL, messages })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      object: 'chat.completion',
      model: MODEL,
      choices: [{ message: { role: 'assistant', content: 'The parcel was sent by Ann.' }, finish_reason: 'stop' }],
      usage: { completion_tokens: 6 },
    },
  })
})

test('a tool call contains its arguments as JSON', async () => {
  const asked = { model: MODEL, messages: [{ role: 'user', content: 'Use pay. amount: 50' }], tools }
  expect(await post('/chat/completions', asked)).toMatchObject({
    body: {
      choices: [
        {
          message: { content: null, tool_calls: [{ function: { name: 'pay', arguments: '{"amount":50}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
    },
  })
})

test.each([
  ['/chat/completions', '{', 400],
  ['/chat/completions', { model: MODEL }, 400],
  ['/chat/completions', { model: 'gpt-x', messages }, 404],
  ['/completions', { model: MODEL, prompt: 'x' }, 404],
])('POST %s %j: %d', async (path, body, status) => {
  expect(await post(path, body)).toEqual({ status, body: { error: expect.objectContaining({ code: null }) } })
})
