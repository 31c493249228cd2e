import { pathway } from '../../support/runs/runs.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

const greet = {
  ...pathway([{ id: 'done', type: 'end', output: 'Hello ${input.name}' }]),
  input: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
}

test('a trigger shows its health and times, and why it did not fire, and can be fired and paused', async () => {
  const { client } = context.workspace
  await client.post('/v1/pathways', { slug: 'hello', title: 'Hello', definition: greet })
  const target = { type: 'pathway', ref: 'hello' }
  const schedule = { cron: '30 8 * * MON-FRI', time_zone: 'Europe/Berlin' }
  await client.post('/v1/triggers', { title: 'Greet', target, filter: 'event.input.name != "Eve"' })
  await client.post('/v1/triggers', {
    title: 'Each morning',
    target,
    trigger_type: 'schedule',
    schedule,
    input: { name: 'all' },
  })
  const { page, expectClean } = await context.visit('/console/automations', { scheme: 'dark', width: 320 })
  await page.getByRole('button', { name: 'Each morning' }).click()
  await page.getByRole('region', { name: 'Next runs' }).getByRole('listitem').nth(4).waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Greet' }).click()
  await page.getByRole('button', { name: 'Fire…' }).click()
  await page.getByLabel('Input').fill('{"name": "Eve"}')
  await page.getByRole('button', { name: 'Fire trigger' }).click()
  await page.getByRole('status').getByText('filtered').waitFor()
  await page.getByLabel('Input').fill('{"name": "Ann"}')
  await page.getByRole('button', { name: 'Fire trigger' }).click()
  await page.getByRole('region', { name: 'Firings' }).getByRole('link', { name: 'Run' }).waitFor()
  await page.getByRole('button', { name: 'Pause…' }).click()
  await page.getByLabel('Reason').fill('on holiday')
  await page.getByRole('button', { name: 'Pause trigger' }).click()
  await page.getByText('on holiday').waitFor()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
})

test('the automation graph links to triggers and pathways; a viewer cannot change anything', async () => {
  const { page, expectClean } = await context.visit('/console/automations?view=graph', {
    actor: 'user:vic',
    role: 'viewer',
  })
  await page.getByRole('button', { name: /Greet/ }).click()
  await page.getByRole('region', { name: 'Settings' }).waitFor()
  // When the firings appear, the graph may move.
  await page.getByRole('region', { name: 'Firings' }).getByRole('link', { name: 'Run' }).waitFor()
  expect(await page.getByRole('button', { name: /Fire|Pause|Resume/ }).count()).toBe(0)
  await expectClean()
  await page.getByRole('button', { name: /Hello/ }).click()
  await page.waitForURL(/\/pathways\//)
  await page.getByRole('heading', { name: 'Hello' }).waitFor()
})
