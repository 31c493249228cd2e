import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readEnvironment } from '../../../config/environment.ts'
import { useConsole } from '../../support/clients/console.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import type { TestWorkspace } from '../../support/stack/stack.ts'

/**
 * The pictures of the documentation, in both colour schemes: `PICTURES=docs/images npm run test:console -- pictures` writes
 * them there. Without the setting they are thrown away.
 */

const context = useConsole()
const { PICTURES } = readEnvironment()
let folder: string
let workspace: TestWorkspace
let jobId = ''

const definition = {
  ...pathway(
    [
      {
        id: 'total',
        type: 'transform',
        title: 'Add 20 % VAT',
        with: { value: '${input.net * 1.2}' },
      },
      {
        id: 'size',
        type: 'switch',
        title: 'Above 200 EUR?',
        cases: [{ port: 'large', when: 'nodes.total.output > 200.0' }],
        default: 'small',
      },
      {
        id: 'review',
        type: 'human',
        kind: 'approval',
        title: 'Pay ${string(nodes.total.output)} EUR to ${input.vendor}?',
        description: 'The invoice has no order number. Compare it with the delivery before you approve.',
        assignees: ['user:ann', 'group:finance'],
        due: 'P2D',
        context: '${{"vendor": input.vendor, "total": nodes.total.output, "due": input.due}}',
      },
      { id: 'pay', type: 'transform', title: 'Pay', with: { value: '${nodes.total.output}' } },
      { id: 'paid', type: 'end', title: 'Paid', output: { paid: '${nodes.pay.output}' } },
      { id: 'refused', type: 'end', title: 'Refused', output: 'refused' },
    ],
    'total > size',
    'size.small > pay',
    'size.large > review',
    'review.approve > pay',
    'pay > paid',
    'review.reject > refused',
    'review.timeout > refused',
  ),
  run_title: 'Invoice of ${input.vendor}',
}
const NET_AMOUNTS = { Acme: 330, Nordwind: 415, 'Blue Harbour': 280 }

beforeAll(async () => {
  folder = PICTURES ?? (await mkdtemp(join(tmpdir(), 'pictures-')))
  workspace = await context.stack.workspace({ actor: 'user:ann' }, 'harbour-office')
  const { client } = workspace
  const created = await client.post('/v1/pathways', { title: 'Invoices', slug: 'invoices', definition })
  expect(created).toMatchObject({ status: 201 })
  for (const [vendor, net] of Object.entries(NET_AMOUNTS)) {
    const input = { vendor, net, due: '2026-12-15' }
    const started = await client.post<{ job_id: string }>('/v1/pathways/invoices/execute', { input })
    expect(started).toMatchObject({ status: 202 })
    jobId ||= started.body.job_id
    await jobWith(client, started.body.job_id, 'waiting')
  }
})
afterAll(async () => {
  if (PICTURES === undefined) await rm(folder, { recursive: true })
})

const SCENES: { name: string; path: () => string; height?: number; ready: (page: Page) => Promise<void> }[] = [
  {
    name: 'inbox',
    path: () => '/console/inbox',
    ready: async page => {
      await page
        .getByText(/Pay 396 EUR to Acme/)
        .first()
        .click()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  },
  {
    name: 'run',
    path: () => `/console/runs/${jobId}`,
    height: 1380,
    ready: async page => {
      await page.getByRole('button', { name: /Add 20 % VAT/ }).waitFor()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  },
]

test.each(['light', 'dark'] as const)('the pages in %s colours are clean, and are shown as pictures', async scheme => {
  for (const { name, path, height = 900, ready } of SCENES) {
    const { page, expectClean } = await context.visit(path(), { scheme, workspace })
    await page.setViewportSize({ width: 1280, height })
    await ready(page)
    await expectClean()
    await page.screenshot({ path: join(folder, `console-${name}-${scheme}.png`) })
  }
})
