import { jobWith } from '../../support/runs/runs.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

test.each([
  ['light', 1280],
  ['dark', 320],
] as const)('usage is grouped by the selected dimension, in %s at %i px', async (scheme, width) => {
  const { client } = context.workspace
  await client.post('/v1/neurons', { slug: 'clerk', title: 'Clerk', model: 'builtin:extractive' })
  const { body } = await client.post<{ job_id: string }>('/v1/neurons/clerk/invoke', {
    message: 'Hello?',
    stream: true,
  })
  await jobWith(client, body.job_id)
  const { page, expectClean } = await context.visit('/console/usage', { scheme, width })
  await page.getByText('Agent', { exact: true }).click()
  await page.getByRole('rowheader', { name: 'clerk' }).waitFor()
  await expectClean()
  await page.reload()
  await page.getByRole('rowheader', { name: 'clerk' }).waitFor()
})
