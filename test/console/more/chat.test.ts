import type { Route } from 'playwright-core'
import { useAgents } from '../../support/agents/agents.ts'
import { setHidden, useConsoleOf } from '../../support/clients/console.ts'

const context = useConsoleOf(useAgents())

beforeAll(async () => {
  const { client } = context.workspace
  const tools = [{ name: 'calculate' }]
  await client.post('/v1/reflexes', { slug: 'sums', title: 'Sums', source: 'builtin', tools })
  await context.neuron({ slug: 'clerk', neuron_type: 'agent', tools: [{ reflex: 'sums', approval: 'always' }] })
})

test('an answer appears while it is being written, and can be stopped', async () => {
  context.plays('the weather', { tokens: ['Sunny ', 'and ', 'warm'], after: 'hang' })
  const { page, expectClean } = await context.visit('/console/chat/new?with=neuron:clerk')
  await page.getByRole('textbox', { name: 'Message' }).fill('How is the weather?')
  await page.keyboard.press('Enter')
  await page.getByText('Sunny and warm').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('cancelled', { exact: true }).first().waitFor()
})

test('a call that needs approval can be approved in the thread, and each text appears once', async () => {
  const args = { expression: '1 + 1' }
  context.plays(
    'the sum',
    { tokens: ['I calculate.'], calls: [{ name: 'calculate', args }] },
    { tokens: ['It is two.'] },
  )
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk', { scheme: 'dark', width: 390 })
  await page.getByRole('textbox', { name: 'Message' }).fill('What is the sum?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('region', { name: 'Open task' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByText('It is two.').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  for (const text of ['I calculate.', 'It is two.']) expect(await page.getByText(text).count()).toBe(1)
  await page.locator('summary', { hasText: 'calculate' }).getByText('completed').waitFor()
})

test('a question that a run asks during the first page load appears', async () => {
  const { promise: isRead, resolve: noteReading } = Promise.withResolvers<void>()
  const { promise: isLate, resolve: endReading } = Promise.withResolvers<void>()
  context.plays('the product', { wait: isRead, calls: [{ name: 'calculate', args: { expression: '2 * 3' } }] })
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk')
  const readRun = async (route: Route) => {
    const response = await route.fetch()
    noteReading()
    await isLate
    await route.fulfill({ response })
  }
  await page.route(/\/v1\/jobs\/[^/?]+-[\da-f]{12}$/, readRun, { times: 1 })
  const listed = page.waitForResponse(async response => {
    if (!response.url().includes('trace_id=')) return false
    const { jobs } = (await response.json()) as { jobs: { status: string }[] }
    return jobs[0]?.status === 'waiting'
  })
  await page.getByRole('textbox', { name: 'Message' }).fill('What is the product?')
  await page.keyboard.press('Enter')
  await listed
  endReading()
  // The question appears sooner than it would if the page only polled the run.
  await page.getByRole('button', { name: 'Approve' }).waitFor({ timeout: 20_000 })
})

test('an answer continues where it stopped after the page was hidden', async () => {
  const words = Array.from({ length: 40 }, (_, i) => `w${i}`)
  context.plays('the list', { tokens: words.map(word => `${word} `), delay_ms: 100, after: 'hang' })
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk')
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell me the list')
  await page.keyboard.press('Enter')
  for (const word of ['w3', 'w9']) {
    await page.getByText(`${word} `).waitFor()
    await setHidden(page, true)
    await setHidden(page, false)
  }
  await page.getByText('w39').waitFor()
  await page.getByText(words.join(' '), { exact: true }).waitFor()
})

test('an answer appears once after the session is reloaded with new settings', async () => {
  const words = Array.from({ length: 40 }, (_, i) => `n${i}`)
  context.plays('the numbers', { tokens: words.map(word => `${word} `), delay_ms: 100, after: 'hang' })
  const { page } = await context.visit('/console/')
  await page.clock.install()
  await page.goto('/console/chat/new?with=neuron:clerk')
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell me the numbers')
  await page.keyboard.press('Enter')
  await page.getByText('n3 ').waitFor()
  await page.route('**/v1/session/boot', async route => {
    const response = await route.fetch()
    const boot = (await response.json()) as object
    await route.fulfill({ response, json: { ...boot, version: 'another' } })
  })
  await page.clock.fastForward('06:00')
  await Promise.all([page.waitForResponse('**/v1/session/boot'), setHidden(page, false)])
  await page.getByText('n39').waitFor()
  await page.getByText(words.join(' '), { exact: true }).waitFor()
})
