import { useConsole } from '../../support/clients/console.ts'
import { waitUntil } from '../../support/stack/process.ts'

const context = useConsole()

test('keys and tokens are shown once, members and webhooks can be changed, and the activity log shows the changes', async () => {
  const { page, expectClean } = await context.visit('/console/settings?part=keys', { scheme: 'dark', width: 320 })
  await page.getByLabel('Key name').fill('reports')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').getByText(/^gng_/).waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Revoke reports' }).click()
  await page.getByRole('dialog').getByText('Requests with this key will fail.').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Revoke reports' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  expect(await page.getByText(/^gng_\w{40}/).count()).toBe(0)
  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByLabel('Member name').fill('mia')
  await page.getByRole('button', { name: 'Add' }).click()
  const member = page.getByRole('form', { name: 'user:mia' })
  await member.getByLabel('Role').selectOption('viewer')
  await member.getByRole('button', { name: 'Save' }).click()
  await expectClean()
  await page.getByRole('tab', { name: 'Webhooks' }).click()
  await page.getByLabel('Webhook URL').fill(`${context.ledger.url}/hook`)
  await page.getByRole('button', { name: 'Create' }).click()
  await page
    .getByRole('status')
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('button', { name: /^Test:/ }).click()
  await page.getByRole('link', { name: /hook/ }).click()
  await page.getByRole('region', { name: 'Deliveries' }).getByText('webhook.test').first().waitFor()
  await expectClean()
  await page.getByRole('button', { name: /^Delete:/ }).click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks').waitFor()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByLabel('Action').fill('webhook.create')
  await page.keyboard.press('Enter')
  await page.waitForURL(/action=webhook.create/)
  await page.getByRole('cell', { name: /webhook.create/ }).waitFor()
  await page.getByText('1 change, page 1 of 1').waitFor()
  await expectClean()
})

test('a departing member is shown with everything that ends, is removed, and their task is handed over', async () => {
  const { client } = context.workspace
  const leaver = await context.visit('/console/', { actor: 'user:leo', role: 'builder' })
  await leaver.page.getByRole('heading', { name: 'Hello leo' }).waitFor()
  await context.createLink({ actor: 'user:bo', role: 'reviewer' })
  const ask = { id: 'ask', type: 'human', kind: 'approval', title: 'Pay Leo?', assignees: ['user:leo'] }
  const edges = ['approve', 'reject'].map(on => ({ from: 'ask', on, to: 'done' }))
  const pathway = { schema: 'pathway/1', nodes: [ask, { id: 'done', type: 'end', output: 1 }], edges }
  const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway })
  await waitUntil(async () => {
    const path = `/v1/interventions?job_id=${body.job_id}`
    return (await client.get<{ data: object[] }>(path)).body.data.length === 1
  })
  const { page, expectClean } = await context.visit('/console/settings?part=members', { width: 320 })
  await page.getByRole('button', { name: 'Remove user:leo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove user:leo' })
  await dialog.getByText('Session user:leo').waitFor()
  await dialog.getByText('Pay Leo?').waitFor()
  await expectClean()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  const removed = page.getByRole('dialog', { name: 'Removed user:leo' })
  await removed.getByLabel('Hand over tasks and triggers to').selectOption('user:bo')
  await removed.getByRole('button', { name: 'Hand over' }).click()
  await removed.getByRole('status').getByText('Pay Leo?').waitFor()
  await expectClean()
  await removed.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('form', { name: 'user:bo' }).waitFor()
  expect(await page.getByRole('form', { name: 'user:leo' }).count()).toBe(0)
  await client.post(`/v1/jobs/${body.job_id}/cancel`)
})

test("a sign-in link asks before it ends another person's session", async () => {
  const { page, expectClean } = await context.visit('/console/', { actor: 'user:ann' })
  await page.goto(await context.createLink({ actor: 'user:bo', role: 'reviewer' }))
  await page.getByText('user:ann is signed in').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await page.getByRole('heading', { name: 'Hello ann' }).waitFor()
  await page.goto(await context.createLink({ actor: 'user:bo', role: 'reviewer' }))
  await page.getByRole('button', { name: 'Switch user' }).click()
  await page.getByRole('heading', { name: 'Hello bo' }).waitFor()
})

test('share tokens can be created for receptors; each role sees what it may change', async () => {
  const { client } = context.workspace
  const { body: neuron } = await client.post<{ id: string }>('/v1/neurons', {
    title: 'Clerk',
    model: 'builtin:extractive',
  })
  await client.post('/v1/receptors', { title: 'Front desk', target: { type: 'neuron', ref: neuron.id } })
  const { page, expectClean } = await context.visit('/console/settings', { actor: 'user:bea', role: 'builder' })
  await page.getByRole('tab', { name: 'Share tokens', selected: true }).waitFor()
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Share tokens', 'Webhooks'])
  await page.getByLabel('Token name').fill('for the fair')
  await page.getByLabel(/^Gateway or thread/).selectOption('Front desk')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').getByText(/^gnt_/).waitFor()
  await expectClean()
})
