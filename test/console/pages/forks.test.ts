import { startHttpServer } from '../../support/stack/http-server.ts'
import { asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

const definition = {
  ...pathway(
    [
      { id: 'price', type: 'transform', title: 'Price', with: { value: '${40 + 2}' } },
      { id: 'review', type: 'human', kind: 'approval', title: 'Pay?' },
      { id: 'paid', type: 'end', output: '${"paid " + string(nodes.price.output)}' },
      { id: 'held', type: 'end', output: 'held' },
    ],
    'price > review',
    'review.approve > paid',
    'review.reject > held',
  ),
  run_title: 'Payment',
}

test('a run continues from a node with a corrected output, after a preview, and asks for a new decision', async () => {
  const { client } = context.workspace
  const jobId = await startRun(client, definition, {})
  await asked(client, jobId)
  const { page, expectClean } = await context.visit(`/console/runs/${jobId}?view=table`, { scheme: 'dark', width: 320 })
  await page.getByRole('button', { name: 'Reject' }).click()
  await jobWith(client, jobId)
  await page.getByRole('button', { name: /held/ }).click()
  await page.getByRole('button', { name: 'Rerun from this step…' }).click()
  await page.getByRole('region', { name: 'Preview' }).getByText('price').waitFor()
  await page.getByLabel('Correct the output of').selectOption('price')
  await page.getByLabel('Output of price').fill('43')
  await page.getByText('transform, corrected').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`/console/runs/${jobId}?view=table&node=review`)
  await page.getByRole('button', { name: 'Decide again…' }).click()
  await page.getByLabel('Reason').fill('the vendor called')
  await page.getByRole('button', { name: 'Decide again in a new run' }).click()
  await page.getByRole('link', { name: 'forked from' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('paid 42').waitFor()
})

test('a failed run continues with its failed nodes in a new run', async () => {
  const { client } = context.workspace
  let status = 503
  const { url, close } = await startHttpServer((_, response) => response.writeHead(status).end('{}'))
  const nodes = [
    { id: 'price', type: 'transform', with: { value: '${40 + 2}' } },
    { id: 'book', type: 'http', with: { method: 'POST', url }, retry: { max_attempts: 1 } },
    { id: 'done', type: 'end', output: '${"booked " + string(nodes.price.output)}' },
  ]
  const jobId = await startRun(client, { ...pathway(nodes, 'price > book', 'book > done'), run_title: 'Booking' })
  await jobWith(client, jobId, 'failed')
  status = 200
  const { page, expectClean } = await context.visit(`/console/runs/${jobId}`)
  await page.getByRole('button', { name: 'Retry…' }).click()
  const plan = page.getByRole('region', { name: 'Preview' })
  await plan.getByText('Reused results (1)').waitFor()
  await expectClean()
  await page.getByLabel('Reason').fill('the endpoint is back')
  await page.getByRole('button', { name: 'Start new run' }).click()
  await page.getByRole('link', { name: 'forked from' }).waitFor()
  await page.getByRole('region', { name: 'Result' }).getByText('booked 42').waitFor()
  await close()
})
