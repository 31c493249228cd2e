import { asked, jobWith, pathway } from '../../support/runs/runs.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

const order = (title: string, paid: string) =>
  pathway(
    [
      { id: 'review', type: 'human', kind: 'approval', title },
      { id: 'paid', type: 'end', output: paid },
      { id: 'held', type: 'end', output: 'held' },
    ],
    'review.approve > paid',
    'review.reject > held',
  )

test('a run moves to another version after a check of available versions, moves back, and ends as the new version does', async () => {
  const { client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', {
    title: 'Order',
    definition: order('Pay?', 'by 1'),
  })
  await client.patch(`/v1/pathways/${body.id}`, { definition: order('Pay?', 'by 2') })
  await client.patch(`/v1/pathways/${body.id}`, { definition: order('Pay it now?', 'by 3') })
  const { body: run } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${body.id}@1` })
  await asked(client, run.job_id)
  const { page, expectClean } = await context.visit(`/console/runs/${run.job_id}?view=table`)
  await page.getByRole('button', { name: 'Move to a version…' }).click()
  const plan = page.getByRole('region', { name: 'Migration check' })
  await plan.getByText('/definition/nodes/0/title').waitFor()
  await page.getByLabel('Version', { exact: true }).selectOption('2')
  await plan.getByText('The run can move').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Move the run' }).click()
  await page.getByRole('link', { name: 'Order, version 2' }).waitFor()
  await page.getByRole('button', { name: 'Move back to version 1' }).click()
  await page.getByRole('link', { name: 'Order, version 1' }).waitFor()
  await page.getByRole('button', { name: 'Move to a version…' }).click()
  await page.getByLabel('Version', { exact: true }).selectOption('2')
  await page.getByRole('button', { name: 'Move the run' }).click()
  await page.getByRole('link', { name: 'Order, version 2' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await jobWith(client, run.job_id)).toMatchObject({ status: 'completed', result: 'by 2', pathway_version: 2 })
})

test('the runs of one pathway move together, after a check of which ones can move', async () => {
  const { client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', {
    slug: 'orders',
    title: 'Orders',
    definition: order('Pay?', 'by 1'),
  })
  await client.patch(`/v1/pathways/${body.id}`, { definition: order('Pay?', 'by 2') })
  const start = async (version: number) => {
    const { body: run } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `orders@${version}` })
    await asked(client, run.job_id)
    return run.job_id
  }
  const jobs = [await start(1), await start(1)]
  const { page, expectClean } = await context.visit('/console/runs')
  await page.getByRole('button', { name: 'Pause all…' }).waitFor()
  expect(await page.getByRole('button', { name: 'Migrate all…' }).count()).toBe(0)
  await page.goto('/console/pathways/orders')
  await page.getByRole('link', { name: 'Runs of this workflow' }).click()
  await page.getByRole('button', { name: 'Migrate all…' }).click()
  await page.getByRole('dialog').getByLabel('Version').selectOption('2')
  await page.getByText('Migrate applies to 2 of 2 runs.').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Migrate 2' }).click()
  await page.getByRole('region', { name: 'Runs in the bulk job' }).getByText('2 done').waitFor()
  for (const jobId of jobs) expect(await jobWith(client, jobId, 'waiting')).toMatchObject({ pathway_version: 2 })
})
