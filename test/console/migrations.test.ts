import { asked, jobWith, pathway } from '../support/runs.ts'
import { useConsole } from '../support/console.ts'

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

test('a run moves to another version after a look at which ones it can, moves back, and ends as the new one does', async () => {
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
  const plan = page.getByRole('region', { name: 'Whether it can move' })
  await plan.getByText('/definition/nodes/0/title').waitFor()
  await page.getByLabel('Version', { exact: true }).selectOption('2')
  await plan.getByText('It can move').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Move the run' }).click()
  await page.getByText('pathway, version 2').waitFor()
  await page.getByRole('button', { name: 'Move back to version 1' }).click()
  await page.getByText('pathway, version 1').waitFor()
  await page.getByRole('button', { name: 'Move to a version…' }).click()
  await page.getByLabel('Version', { exact: true }).selectOption('2')
  await page.getByRole('button', { name: 'Move the run' }).click()
  await page.getByText('pathway, version 2').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await jobWith(client, run.job_id)).toMatchObject({ status: 'completed', result: 'by 2', pathway_version: 2 })
})
