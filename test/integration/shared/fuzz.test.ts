import { runSchemathesis } from '../../attacks/fuzz/schemathesis.ts'
import { connectSharedStack, type ConnectedStack } from '../../support/stack/stack.ts'

let stack: ConnectedStack

beforeAll(async () => {
  stack = await connectSharedStack()
})
afterAll(() => stack?.stop())

/** `npm run fuzz` generates more requests with other seeds, and follows links. */
const FEW = 1

test('requests generated from the OpenAPI document get responses that the document describes', async () => {
  const { api_key: apiKey } = await stack.workspace()
  const options = { baseUrl: stack.baseUrl, apiKey, examples: FEW, phases: ['fuzzing' as const], seed: 1 }
  const { ok, output } = await runSchemathesis(options)
  expect(ok ? '' : output).toBe('')
  expect(output).toMatch(/Tested: +2\d\d/)
})
