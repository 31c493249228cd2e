import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { startHttpServer } from '../../support/stack/http-server.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

const body = pathway(
  [
    { id: 'twice', type: 'transform', title: 'Double it', with: { value: '${item * 2}' } },
    { id: 'out', type: 'end', output: '${nodes.twice.output}' },
  ],
  'twice > out',
)
const lines = {
  ...pathway(
    [
      {
        id: 'each',
        type: 'map',
        title: 'Each line',
        items: '${input.lines}',
        body: { nodes: body.nodes, edges: body.edges },
      },
      { id: 'review', type: 'human', kind: 'approval', title: 'Pay ${input.vendor}?' },
      { id: 'paid', type: 'end', output: { paid: '${nodes.each.output}' } },
      { id: 'held', type: 'end', output: 'held' },
    ],
    'each > review',
    'review.approve > paid',
    'review.reject > held',
  ),
  run_title: 'Order of ${input.vendor}',
  input: {
    type: 'object',
    required: ['vendor'],
    properties: { vendor: { type: 'string', title: 'Vendor' }, lines: { type: 'array', items: { type: 'integer' } } },
  },
}
const start = (vendor: string) => startRun(context.workspace.client, lines, { vendor, lines: [1, 2, 3] })

test('a run can be followed, inspected, answered on its page and started again', async () => {
  const jobId = await start('Acme')
  await jobWith(context.workspace.client, jobId, 'waiting')
  const { page, expectClean } = await context.visit(`/console/runs/${jobId}`)
  await page.getByRole('heading', { name: 'Pay Acme?' }).waitFor()
  await page.getByText(/^Waiting for .* at review: Pay Acme\?/).waitFor()
  await page.getByRole('button', { name: /Each line/ }).waitFor()
  await page.getByRole('button', { name: /review human/ }).click()
  await page.getByRole('heading', { name: 'review' }).waitFor()
  await page.getByLabel('Iteration of each').selectOption('1')
  await page.getByRole('region', { name: 'Selected node' }).getByText('each[1]/twice').waitFor()
  await page.getByRole('region', { name: 'Selected node' }).getByText('4').waitFor()
  await expectClean()
  await page.getByText('Timeline', { exact: true }).click()
  await page.getByRole('button', { name: /Double it/, pressed: true }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: /Double it/, pressed: true }).waitFor()
  expect(page.url()).toContain('view=timeline')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('2, 4, 6').waitFor()
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByLabel('Vendor').fill('Beta')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { name: 'Order of Beta' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel the run' }).click()
  await page.getByText('Cancelled by ann').waitFor()
  expect(await page.getByText('failed', { exact: true }).count()).toBe(0)
})

test('the list of runs is filtered by its URL, and runs can be cancelled together', async () => {
  const jobs = await Promise.all(['Delta', 'Delta', 'Gamma'].map(start))
  await Promise.all(jobs.map(jobId => jobWith(context.workspace.client, jobId, 'waiting')))
  const { page, expectClean } = await context.visit('/console/runs?status=waiting', { scheme: 'dark', width: 320 })
  await page.getByLabel('Title').fill('delta')
  await page.waitForURL(/title=delta/)
  await page.reload()
  await page.getByText('2 runs').waitFor()
  await expectClean()
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('button', { name: 'Cancel 2 runs' }).click()
  await page.getByRole('button', { name: 'Cancel 2 runs' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').getByText('Order of Delta').count()).toBe(2)
  await page.getByRole('dialog').getByText('cancelled', { exact: true }).nth(1).waitFor()
  await Promise.all(jobs.slice(0, 2).map(jobId => jobWith(context.workspace.client, jobId, 'failed')))
  const count = (status: string) => page.getByRole('group', { name: 'Status' }).getByRole('button', { name: status })
  await page.goto('/console/runs?title=delta')
  await count('cancelled 2').click()
  await page.getByText('2 runs').waitFor()
  await count('failed 0').click()
  await page.getByText('2 runs').waitFor()
})

test('runs can be found by workflow title, starter and day, and link to their workflow', async () => {
  const { client } = context.workspace
  const { body } = await client.post<{ id: string }>('/v1/pathways', { title: 'Nightly ledger', definition: lines })
  const { body: started } = await client.post<{ job_id: string }>('/v1/jobs', {
    pathway_id: body.id,
    input: { vendor: 'Kappa', lines: [] },
  })
  await jobWith(client, started.job_id, 'waiting')
  const { page, expectClean } = await context.visit('/console/runs')
  await page.getByLabel('Workflow', { exact: true }).fill('ledger')
  await page.getByText('1 run,').waitFor()
  await page.getByLabel('Started by').fill('no')
  await page.getByText('No runs match these filters').waitFor()
  await page.getByLabel('Started by').fill('')
  await page.getByLabel('Time range').selectOption('Yesterday')
  await page.getByText('No runs match these filters').waitFor()
  await page.getByLabel('Time range').selectOption('Custom range')
  await page.getByLabel('First day').fill(new Date().toISOString().slice(0, 10))
  await page.getByText('1 run,').waitFor()
  await expectClean()
  await page.getByRole('link', { name: 'Order of Kappa' }).click()
  await page.getByRole('link', { name: 'Nightly ledger, version 1' }).click()
  await page.getByRole('heading', { name: 'Nightly ledger' }).waitFor()
  await client.post(`/v1/jobs/${started.job_id}/cancel`)
})

test('a failed step shows all of its attempts, and time waiting for people does not count as work', async () => {
  const { client } = context.workspace
  const { url, close } = await startHttpServer((_, response) => response.writeHead(503).end('{}'))
  const retry = { max_attempts: 3, initial: 'PT0.1S' }
  const book = { id: 'book', type: 'http', with: { method: 'GET', url }, retry }
  const nodes = [book, { id: 'ask', type: 'human', kind: 'approval', title: 'Without it?' }, { id: 'end', type: 'end' }]
  const jobId = await startRun(client, pathway(nodes, 'book.error > ask', 'ask.approve > end', 'ask.reject > end'))
  expect(await jobWith(client, jobId, 'waiting')).toMatchObject({ current_step: 'ask' })
  const { page } = await context.visit(`/console/runs/${jobId}?node=book`)
  await page.getByText('Attempt 3,').waitFor()
  expect(await page.getByText(/^Attempt \d,/).count()).toBe(3)
  await page.getByRole('button', { name: 'Approve' }).click()
  const { nodes: ended } = await jobWith(client, jobId)
  expect(ended.find(({ key }) => key === 'book')).toMatchObject({ attempt: 3 })
  expect(ended.find(({ key }) => key === 'ask')).toMatchObject({ started_at: expect.any(String) })
  await close()
})

test('an operation on all listed runs shows a preview, and its job shows the outcome', async () => {
  const jobs = await Promise.all(['Omega', 'Omega'].map(start))
  await Promise.all(jobs.map(jobId => jobWith(context.workspace.client, jobId, 'waiting')))
  const { page, expectClean } = await context.visit('/console/runs?status=waiting&title=omega')
  await page.getByRole('group', { name: 'All matching runs' }).getByText('All matching runs: 2').waitFor()
  await page.getByRole('button', { name: 'Pause all…' }).click()
  await page.getByText('Pause applies to 2 of 2 runs.').waitFor()
  await page.getByLabel('Reason').fill('An incident')
  await expectClean()
  await page.getByRole('button', { name: 'Pause 2' }).click()
  await page.getByRole('heading', { name: 'Bulk pause: An incident' }).waitFor()
  await page.getByRole('region', { name: 'Runs in the bulk job' }).getByText('2 done').waitFor()
  await expectClean()
  await Promise.all(jobs.map(jobId => jobWith(context.workspace.client, jobId, 'paused')))
})
