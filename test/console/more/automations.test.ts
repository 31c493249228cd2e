import { useConsole } from '../../support/clients/console.ts'
import { pathway } from '../../support/runs/runs.ts'

const context = useConsole()

test('a trigger is created and changed in a form that shows problems at their fields', async () => {
  const { client } = context.workspace
  const greet = pathway([{ id: 'done', type: 'end', output: '${input.at}' }])
  await client.post('/v1/pathways', { slug: 'greet', title: 'Greet', definition: greet })
  const { page, expectClean } = await context.visit('/console/automations', { width: 320 })
  await page.getByRole('button', { name: 'New trigger' }).click()
  await page.getByLabel('Title').fill('Each morning')
  await page.getByLabel('Slug, optionally with @version').fill('greet')
  await page.getByLabel('Run input').fill('{"at": "${event.scheduled_at}"}')
  await page.getByLabel('Time zone').fill('Europe/Atlantis')
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await page.locator('[data-invalid]', { hasText: 'Time zone' }).last().waitFor()
  await expectClean()
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await page.getByRole('region', { name: 'Next runs' }).getByRole('listitem').first().waitFor()

  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByLabel('Filter').fill('true')
  await page.getByLabel('Run input').fill('')
  await page.getByRole('button', { name: 'Save trigger' }).click()
  await page.getByRole('region', { name: 'Settings' }).getByText('Filter').waitFor()
  const { body } = await client.get<object>('/v1/triggers/each-morning')
  expect(body).toMatchObject({
    version: 2,
    filter: 'true',
    schedule: { cron: ['30 8 * * MON-FRI'], time_zone: 'Europe/Berlin' },
  })
  expect(body).not.toHaveProperty('input')
})

test("a webhook trigger's address and secret are shown once", async () => {
  const { page, expectClean } = await context.visit('/console/automations', { scheme: 'dark' })
  await page.getByRole('button', { name: 'New trigger' }).click()
  await page.getByLabel('Title').fill('Orders')
  await page.getByLabel('Slug, optionally with @version').fill('greet')
  await page.getByLabel('Type').selectOption('webhook')
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await page.getByRole('button', { name: 'New URL' }).click()
  await page.getByRole('button', { name: 'Rotate URL' }).click()
  await page.getByText(/\/v1\/public\/hooks\//).waitFor()
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByText('Signing secret').waitFor()
  await expectClean()
})
