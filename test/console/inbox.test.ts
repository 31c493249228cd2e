import { answer, asked, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { useConsole } from '../support/clients/console.ts'

const context = useConsole()

const human = (more: object, ports: Record<string, string>) =>
  pathway(
    [
      { id: 'review', type: 'human', ...more },
      ...new Set(Object.values(ports)).values().map(id => ({ id, type: 'end', output: '${nodes.review.output}' })),
    ],
    ...Object.entries(ports).map(([port, end]) => `review.${port} > ${end}`),
  )
const approval = (title: string, more: object = {}) =>
  human({ kind: 'approval', title, ...more }, { approve: 'done', reject: 'not' })

const form = {
  type: 'object',
  required: ['iban', 'reason'],
  properties: {
    iban: { type: 'string', title: 'IBAN', pattern: '^[A-Z]{2}\\d{2}' },
    reason: { type: 'string', title: 'Reason', enum: ['rent', 'salary'] },
    urgent: { type: 'boolean', title: 'Urgent' },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
    payee: {
      title: 'Payee',
      oneOf: [
        { title: 'Person', type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
        { title: 'Company', type: 'object', properties: { company: { type: 'string', title: 'Company' } } },
      ],
    },
  },
}

async function ask(definition: object): Promise<{ jobId: string; interventionId: string }> {
  const jobId = await startRun(context.workspace.client, definition, {})
  const [question] = await asked(context.workspace.client, jobId)
  return { jobId, interventionId: question?.interventionId ?? '' }
}

test('approvals can be decided one after another with only the keyboard', async () => {
  const first = await ask(
    approval('Pay Acme <b>900</b>?', {
      context: { vendor: 'Acme', total: 900, hostile: '<img src=x onerror=alert(1)>' },
    }),
  )
  const { page, expectClean } = await context.visit('/console/inbox')
  await page.getByRole('link', { name: 'Pay Acme' }).waitFor()
  const second = await ask(approval('Pay Beta?'))
  await page.getByRole('link', { name: 'Pay Beta?' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Pay Acme <b>900</b>?' }).waitFor()
  await expectClean()
  await page.keyboard.press('a')
  await page.keyboard.type('as agreed')
  await page.reload()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await page.getByLabel('Comment').inputValue()).toBe('as agreed')
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pay Beta?' }).waitFor()
  await page.getByText('Approved: Pay Acme').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.press('Enter')
  await page.getByText('All done').waitFor()
  const [approved, rejected] = await Promise.all(
    [first, second].map(({ jobId }) => jobWith(context.workspace.client, jobId)),
  )
  expect(approved?.result).toMatchObject({ action: 'approve', comment: 'as agreed', by: 'user:ann' })
  expect(rejected?.result).toMatchObject({ action: 'reject', by: 'user:ann' })
})

test('a form shows fields when a condition applies, and uploads files', async () => {
  const conditional = {
    type: 'object',
    required: ['kind', 'receipt'],
    properties: {
      kind: { title: 'Payee type', enum: ['person', 'company'] },
      receipt: { type: 'string', format: 'file', title: 'Receipt', contentMediaType: 'text/plain' },
      at: { type: 'string', format: 'time', title: 'Time' },
    },
    if: { properties: { kind: { const: 'company' } }, required: ['kind'] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { properties: { register: { type: 'string', title: 'Register' } }, required: ['register'] },
  }
  const { jobId, interventionId } = await ask(
    human({ kind: 'form', title: 'Who is it', form: conditional }, { submit_input: 'done' }),
  )
  const { page, expectClean } = await context.visit(`/console/inbox/${interventionId}`)
  await page.getByLabel('Payee type').selectOption('company')
  await page.getByLabel('Register').fill('HRB 1')
  await page.getByLabel('Payee type').selectOption('person')
  await page.getByLabel('Register').waitFor({ state: 'detached' })
  await page.getByLabel('Time').fill('12:30')
  const file = { name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('Paid.') }
  await page.getByLabel('Receipt').setInputFiles([file])
  await page.getByRole('link', { name: /receipt\.txt/ }).waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Send' }).click()
  const { result } = await jobWith(context.workspace.client, jobId, 'completed')
  expect(result).toMatchObject({
    data: { kind: 'person', at: '12:30:00.000Z', receipt: expect.any(String) as string },
  })
  expect((result as { data: object }).data).not.toHaveProperty('register')
  await page.goto(`${new URL(page.url()).origin}/console/inbox/${interventionId}`)
  await page
    .getByRole('list', { name: 'Files' })
    .getByRole('link', { name: /receipt\.txt/ })
    .waitFor()
})

test('a form is checked by the console and the service, and keeps the input', async () => {
  const { jobId, interventionId } = await ask(
    human({ kind: 'form', title: 'Whom to pay', form }, { submit_input: 'done' }),
  )
  const { page, expectClean } = await context.visit(`/console/inbox/${interventionId}`, { scheme: 'dark' })
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.getByText('Required.').count()).toBe(2)
  await page.getByLabel('IBAN').fill('nope')
  await page.getByLabel('Reason').selectOption('rent')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('does not match pattern').waitFor()
  await expectClean()
  await page.reload()
  expect(await page.getByLabel('IBAN').inputValue()).toBe('nope')
  await page.getByLabel('IBAN').fill('DE12')
  await page.keyboard.press('Enter')
  expect((await jobWith(context.workspace.client, jobId)).result).toMatchObject({
    data: { iban: 'DE12', reason: 'rent' },
  })
})

test('an approval can be read and answered on a phone, but read-only roles cannot answer it', async () => {
  const lines = [{ text: 'Paper', cents: 1200 }]
  const invoice = { number: 'INV-7', vendor: { name: 'Acme Office Supplies Ltd', address: { city: 'Berlin' } }, lines }
  const more = { description: 'Pay **INV-7**?', context: { invoice, terms: 'x'.repeat(900) } }
  const { jobId, interventionId } = await ask(approval('Pay Acme Ltd?', more))
  const viewer = await context.visit('/console/', { actor: 'user:vic', role: 'viewer' })
  await viewer.page
    .getByRole('region', { name: 'Open tasks' })
    .getByRole('link', { name: /Your tasks 0/ })
    .waitFor()
  await viewer.page.goto(`/console/inbox/${interventionId}?view=all`)
  await viewer.page.locator('.refusal').waitFor()
  expect(await viewer.page.getByRole('button', { name: 'Approve', exact: true }).all()).toHaveLength(0)
  const { page, expectClean } = await context.visit(`/console/inbox/${interventionId}`, { width: 390 })
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  await page.locator('strong', { hasText: 'INV-7' }).waitFor()
  const { y = 0, height = 0 } = (await approve.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(900)
  const vendor = await page.getByText('Acme Office Supplies Ltd').boundingBox()
  expect(vendor?.height).toBeLessThan(30)
  await expectClean()
  await approve.click()
  expect((await jobWith(context.workspace.client, jobId)).result).toMatchObject({ action: 'approve' })
})

test('people who cannot answer see why, and who answered first; the text they entered is kept', async () => {
  const bob = await context.workspace.as('user:bob')
  const closed = await ask(approval('Not for ann', { exclude_requester: true }))
  const { page, expectClean } = await context.visit(`/console/inbox/${closed.interventionId}?view=all`, { width: 320 })
  await page.getByText('one of the people behind this run').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
  await expectClean()
  const open = await ask(approval('Two of us', { quorum: 2, assignees: ['user:ann', 'user:bob', 'user:cleo'] }))
  await page.goto(`/console/inbox/${open.interventionId}?view=all`)
  await page.getByLabel('Comment').fill('no, thanks')
  await answer(bob, context.workspace.id, open.jobId, open.interventionId, { action: 'approve' })
  await page.reload()
  await page.getByText('1 of 2 approvals').waitFor()
  await answer(bob, context.workspace.id, closed.jobId, closed.interventionId, { action: 'reject' })
  expect(await page.getByLabel('Comment').inputValue()).toBe('no, thanks')
  await page.getByRole('button', { name: 'Reject' }).click()
  expect((await jobWith(context.workspace.client, open.jobId)).result).toMatchObject({ comment: 'no, thanks' })
})

test('a task can be claimed, commented on, handed over and reassigned, and other people see its assignee', async () => {
  const [bob] = await Promise.all([context.workspace.as('user:bob'), context.workspace.as('user:cleo')])
  const { interventionId, jobId } = await ask(approval('Who takes this?', { assignees: ['user:ann', 'user:bob'] }))
  const { page, expectClean } = await context.visit(`/console/inbox/${interventionId}?view=all`, { width: 320 })
  await bob.post(`/v1/interventions/${interventionId}/claim`)
  await page.locator('.refusal').getByText('claimed by user:bob').waitFor()
  expect(await page.getByRole('button', { name: 'Claim' }).count()).toBe(0)
  await bob.post(`/v1/interventions/${interventionId}/release`)
  await page.getByRole('button', { name: 'Claim' }).press('Enter')
  await page.getByRole('button', { name: 'Release' }).waitFor()
  await page.getByRole('button', { name: 'Comment…' }).press('Enter')
  await page.getByLabel('Comment without answering').fill('I ask Acme first')
  await page.getByRole('form').getByRole('button', { name: 'Comment' }).press('Enter')
  await page.getByText('I ask Acme first').waitFor()
  await page.getByRole('button', { name: 'Delegate…' }).press('Enter')
  await page.getByLabel('Delegate to').fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('no person or group in the workspace has the name user:nobody').waitFor()
  await expectClean()
  await page.getByLabel('Delegate to').fill('cleo')
  await page.keyboard.press('Enter')
  await page.locator('.refusal').getByText('user:ann delegated this to user:cleo').waitFor()
  await page.getByRole('button', { name: 'Reassign…' }).press('Enter')
  await page.getByLabel('New assignees').fill('bob, ann')
  await page.keyboard.press('Enter')
  await page.getByText('another person must assign this to user:ann').waitFor()
  await bob.post(`/v1/interventions/${interventionId}/reassign`, { to: ['user:bob', 'user:ann'] })
  await page.locator('button:enabled', { hasText: 'Approve' }).click()
  await jobWith(context.workspace.client, jobId)
  await page.goto(`/console/inbox/${interventionId}?view=decided`)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download evidence' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe(`evidence-${interventionId}.json`)
  await expectClean()
})

test('several tasks can be answered at once by keyboard, after a preview of the outcomes', async () => {
  const titles = ['Bulk one', 'Bulk two']
  const runs = await Promise.all(titles.map(title => ask(approval(title))))
  const { page, expectClean } = await context.visit('/console/inbox?kind=approval', { scheme: 'dark' })
  for (const title of titles) await page.getByLabel(`Choose ${title}`).press('Space')
  await page.getByRole('button', { name: 'Approve…' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Final: the run continues').nth(1).waitFor()
  await expectClean()
  await dialog.getByLabel('Comment for all tasks').fill('all as agreed')
  await dialog.getByRole('button', { name: 'Approve 2' }).press('Enter')
  await dialog.getByText('2 answered, 0 refused.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  for (const { jobId } of runs)
    expect((await jobWith(context.workspace.client, jobId)).result).toMatchObject({ comment: 'all as agreed' })
})
