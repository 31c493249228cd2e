import { useAgents } from '../../support/agents.ts'
import { useConsoleOf } from '../../support/console.ts'

const context = useConsoleOf(useAgents())

beforeAll(async () => {
  const { client } = context.workspace
  const tools = [{ name: 'calculate' }]
  await client.post('/v1/reflexes', { slug: 'sums', title: 'Sums', source: 'builtin', tools })
  await context.neuron({ slug: 'clerk', neuron_type: 'agent', tools: [{ reflex: 'sums', approval: 'always' }] })
})

test('an answer appears as it is written, and is stopped', async () => {
  context.plays('the weather', { tokens: ['Sunny ', 'and ', 'warm'], after: 'hang' })
  const { page, expectClean } = await context.visit('/console/chat/new?with=neuron:clerk')
  await page.getByRole('textbox', { name: 'Message' }).fill('How is the weather?')
  await page.keyboard.press('Enter')
  await page.getByText('Sunny and warm').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('failed', { exact: true }).waitFor()
})

test('a call that needs approval is approved in the thread, and each text is there once', async () => {
  const args = { expression: '1 + 1' }
  context.plays(
    'the sum',
    { tokens: ['I calculate.'], calls: [{ name: 'calculate', args }] },
    { tokens: ['It is two.'] },
  )
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk', { scheme: 'dark', width: 390 })
  await page.getByRole('textbox', { name: 'Message' }).fill('What is the sum?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'What is asked' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByText('It is two.').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  for (const text of ['I calculate.', 'It is two.']) expect(await page.getByText(text).count()).toBe(1)
  await page.locator('summary', { hasText: 'calculate' }).getByText('completed').waitFor()
})
