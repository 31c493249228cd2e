import { answer, asked, jobWith, pathway, startRun } from '../support/runs.ts'
import { useConsole } from '../support/console.ts'

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

test('approvals are decided by keyboard alone, one after the other, as they come in', async () => {
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

test('a form is checked here and by the service, and keeps what was typed', async () => {
  const { jobId, interventionId } = await ask(
    human({ kind: 'form', title: 'Whom to pay', form }, { submit_input: 'done' }),
  )
  const { page, expectClean } = await context.visit(`/console/inbox/${interventionId}`, { scheme: 'dark' })
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.getByText('Fill this in.').count()).toBe(2)
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

test('who may not answer sees why, and who was faster; nothing typed is lost', async () => {
  const bob = await context.workspace.as('user:bob')
  const closed = await ask(approval('Not for ann', { exclude_requester: true }))
  const { page, expectClean } = await context.visit(`/console/inbox/${closed.interventionId}?view=all`, { width: 320 })
  await page.getByText('started this run').waitFor()
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
