import { useConsole } from '../../support/console.ts'

const context = useConsole()

test('keys and tokens are shown once, members and webhooks are changed, and the activity tells it', async () => {
  const { page, expectClean } = await context.visit('/console/settings?part=keys', { scheme: 'dark', width: 320 })
  await page.getByLabel('Name of a new key').fill('reports')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').getByText(/^gng_/).waitFor()
  await expectClean()
  await page.reload()
  await page.getByRole('button', { name: 'Revoke reports' }).click()
  await page.getByRole('button', { name: 'Revoke reports' }).waitFor({ state: 'detached' })
  expect(await page.getByText(/^gng_.{40}/).count()).toBe(0)
  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByLabel('Name of a new member').fill('mia')
  await page.getByRole('button', { name: 'Add' }).click()
  const member = page.getByRole('form', { name: 'user:mia' })
  await member.getByLabel('Role').selectOption('viewer')
  await member.getByRole('button', { name: 'Save' }).click()
  await expectClean()
  await page.getByRole('tab', { name: 'Webhooks' }).click()
  await page.getByLabel('Address of a new webhook').fill(`${context.ledger.url}/hook`)
  await page.getByRole('button', { name: 'Create' }).click()
  await page
    .getByRole('status')
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('button', { name: /^Test:/ }).click()
  await page.getByRole('link', { name: /hook/ }).click()
  await page.getByRole('region', { name: 'Deliveries' }).getByText('webhook.test').first().waitFor()
  await expectClean()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByLabel('What').fill('webhook.create')
  await page.keyboard.press('Enter')
  await page.waitForURL(/action=webhook.create/)
  await page.getByRole('cell', { name: /webhook.create/ }).waitFor()
  await page.getByText('1 change, page 1 of 1').waitFor()
  await expectClean()
})

test('share tokens are made for receptors; a role sees what it may change', async () => {
  const { client } = context.workspace
  const { body: neuron } = await client.post<{ id: string }>('/v1/neurons', {
    title: 'Clerk',
    model: 'builtin:extractive',
  })
  await client.post('/v1/receptors', { title: 'Front desk', target: { type: 'neuron', ref: neuron.id } })
  const { page, expectClean } = await context.visit('/console/settings', { actor: 'user:bea', role: 'builder' })
  await page.getByRole('tab', { name: 'Share tokens', selected: true }).waitFor()
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Share tokens', 'Webhooks'])
  await page.getByLabel('Name of a new token').fill('for the fair')
  await page.getByLabel(/^For/).selectOption('Front desk')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').getByText(/^gnt_/).waitFor()
  await expectClean()
})
