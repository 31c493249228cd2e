import { useAgents } from '../../support/agents.ts'
import { useConsoleOf } from '../../support/console.ts'

const context = useConsoleOf(useAgents())

test('an answer that is being written is there once after the API was killed, and the page goes on by itself', async () => {
  await context.neuron({ slug: 'clerk', neuron_type: 'agent' })
  context.plays('the weather', { tokens: ['Sunny ', 'and ', 'warm'], after: 'hang' })
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk')
  await page.getByRole('textbox', { name: 'Message' }).fill('How is the weather?')
  await page.keyboard.press('Enter')
  await page.getByText('Sunny and warm').waitFor()
  await context.stack.api.end('SIGKILL')
  await context.stack.restartApi()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('failed', { exact: true }).waitFor()
  expect(await page.getByText('Sunny').count()).toBeLessThanOrEqual(1)
})
