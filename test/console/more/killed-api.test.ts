import { useOwnAgents } from '../../support/agents/agents.ts'
import { useConsoleOf } from '../../support/clients/console.ts'
import { pathway, startRun } from '../../support/runs/runs.ts'

const context = useConsoleOf(useOwnAgents())

beforeAll(() => context.neuron({ slug: 'clerk', neuron_type: 'agent' }))

test('an answer in progress appears once after the API is killed, and the page resumes automatically', async () => {
  context.plays('the weather', { tokens: ['Sunny ', 'and ', 'warm'], after: 'hang' })
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk')
  await page.getByRole('textbox', { name: 'Message' }).fill('How is the weather?')
  await page.keyboard.press('Enter')
  await page.getByText('Sunny and warm').waitFor()
  await context.stack.killApi()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('failed', { exact: true }).waitFor()
  expect(await page.getByText('Sunny').count()).toBeLessThanOrEqual(1)
})

test('six thousand tokens are shown live, once each, even if the API is killed during the stream', async () => {
  const words = Array.from({ length: 6_000 }, (_, i) => `w${i}`)
  context.plays('the long story', { tokens: words.map(word => `${word} `), delay_ms: 1, after: 'hang' })
  const definition = pathway([{ id: 'write', type: 'neuron', ref: 'clerk', with: { message: 'Tell the long story' } }])
  const jobId = await startRun(context.workspace.client, definition)
  const { page } = await context.visit(`/console/runs/${jobId}?view=table&node=write`)
  const panel = page.getByRole('region', { name: 'Selected node' })
  await panel.getByRole('tab', { name: 'Text' }).click()
  await panel.getByText('w100 ').waitFor()
  await context.stack.killApi()
  await panel.getByText('w5999').waitFor({ timeout: 120_000 })
  const text = await panel.getByRole('tabpanel').textContent()
  expect(text?.trim().split(/\s+/)).toEqual(words)
})
