import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readEnvironment } from '../../../config/environment.ts'
import { useConsole } from '../../support/console.ts'
import { jobWith, pathway, startRun } from '../../support/runs.ts'

/**
 * The pictures of the documentation, in both colour schemes: `PICTURES=docs/images npm run test:console -- pictures` writes
 * them there. Without the setting they are thrown away.
 */

const context = useConsole()
const { PICTURES } = readEnvironment()
let folder: string
let jobId: string

const line = pathway(
  [
    { id: 'total', type: 'transform', title: 'Price of the line', with: { value: '${item.amount * item.price}' } },
    { id: 'priced', type: 'end', output: '${nodes.total.output}' },
  ],
  'total > priced',
)
const definition = {
  ...pathway(
    [
      {
        id: 'lines',
        type: 'map',
        title: 'Price each line',
        items: '${input.lines}',
        body: { nodes: line.nodes, edges: line.edges },
      },
      {
        id: 'sum',
        type: 'transform',
        title: 'Add up',
        with: { value: '${nodes.lines.output[0] + nodes.lines.output[1] + nodes.lines.output[2]}' },
      },
      {
        id: 'review',
        type: 'human',
        kind: 'approval',
        title: 'Pay ${string(nodes.sum.output)} EUR to ${input.vendor}?',
        description: 'The invoice has no order number. Compare it with the delivery before you approve.',
        assignees: ['user:ann', 'group:finance'],
        due: 'P2D',
        context: '${{"vendor": input.vendor, "total": nodes.sum.output, "lines": input.lines}}',
      },
      { id: 'paid', type: 'transform', title: 'Pay', with: { value: '${nodes.sum.output}' } },
      { id: 'done', type: 'end', output: { paid: '${nodes.paid.output}' } },
      { id: 'refused', type: 'end', output: 'refused' },
    ],
    'lines > sum',
    'sum > review',
    'review.approve > paid',
    'paid > done',
    'review.reject > refused',
    'review.timeout > refused',
  ),
  run_title: 'Invoice of ${input.vendor}',
}
const lines = [
  { item: 'Paper, A4', amount: 40, price: 4 },
  { item: 'Toner', amount: 3, price: 79 },
  { item: 'Delivery', amount: 1, price: 12 },
]

beforeAll(async () => {
  folder = PICTURES ?? (await mkdtemp(join(tmpdir(), 'pictures-')))
  const { client } = context.workspace
  const created = await client.post('/v1/pathways', { title: 'Invoices', slug: 'invoices', definition })
  expect(created).toMatchObject({ status: 201 })
  const runs = ['Acme', 'Nordwind', 'Blue Harbour'].map(vendor => startRun(client, definition, { vendor, lines }))
  ;[jobId = ''] = await Promise.all(runs)
  for (const run of await Promise.all(runs)) await jobWith(client, run, 'waiting')
})
afterAll(async () => {
  if (PICTURES === undefined) await rm(folder, { recursive: true })
})

const SCENES: { name: string; path: () => string; ready: (page: Page) => Promise<void> }[] = [
  {
    name: 'inbox',
    path: () => '/console/inbox',
    ready: async page => {
      await page
        .getByText(/Pay 409 EUR to Acme/)
        .first()
        .click()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  },
  {
    name: 'run',
    path: () => `/console/runs/${jobId}`,
    ready: async page => {
      await page.getByRole('button', { name: /Price each line/ }).waitFor()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  },
  {
    name: 'pathway',
    path: () => '/console/pathways/invoices',
    ready: page => page.getByRole('button', { name: /Add up/ }).waitFor(),
  },
]

test.each(['light', 'dark'] as const)('the pages in %s colours are clean, and are shown as pictures', async scheme => {
  for (const { name, path, ready } of SCENES) {
    const { page, expectClean } = await context.visit(path(), { scheme })
    await ready(page)
    await expectClean()
    await page.screenshot({ path: join(folder, `console-${name}-${scheme}.png`) })
  }
})
