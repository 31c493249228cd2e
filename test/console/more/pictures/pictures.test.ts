import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { readEnvironment } from '../../../../config/environment.ts'
import { useAgents } from '../../../support/agents/agents.ts'
import { useConsoleOf, writeAll } from '../../../support/clients/console.ts'
import type { TestServer } from '../../../support/stack/http-server.ts'
import { type Acme, ANN, fillAcme } from './acme.ts'
import { reduceColors } from './palette.ts'
import { brokenRefunds } from './resources.ts'
import { startShop } from './shop.ts'

/**
 * Takes the pictures for the documentation in both color schemes. `PICTURES=docs/images npm run test:console --
 * pictures` writes them to that folder. Without the setting, the pictures are discarded.
 */

const context = useConsoleOf(useAgents())
const { PICTURES, TEMPORAL_UI_URL, TEMPORAL_NAMESPACE } = readEnvironment()
let folder: string
let shop: TestServer
let acme: Acme

beforeAll(async () => {
  folder = PICTURES ?? (await mkdtemp(join(tmpdir(), 'pictures-')))
  shop = await startShop()
  acme = await fillAcme(context, shop.url)
})
afterAll(async () => {
  await shop.close()
  if (PICTURES === undefined) await rm(folder, { recursive: true })
})

/** Margin around the element of a picture, in pixels. */
const MARGIN = 14

interface Scene {
  name: string
  path: () => string
  width?: number
  height?: number
  /** Brings the page into the state of the picture. Returns selectors of what to show. */
  show: (page: Page) => Promise<string[]>
}

const SCENES: Scene[] = [
  {
    name: 'run',
    path: () => `/console/runs/${acme.paying}?node=review`,
    width: 1360,
    height: 830,
    show: async page => {
      await page.locator('.run-panel').waitFor()
      await page.locator('.react-flow__node').first().waitFor()
      return ['.page-head', '.run-nodes']
    },
  },
  {
    name: 'timeline',
    path: () => `/console/runs/${acme.paid}?view=timeline`,
    show: async page => {
      await page.locator('.bar').first().waitFor()
      return ['.run-view']
    },
  },
  {
    name: 'inbox',
    path: () => `/console/inbox/${acme.task}?view=all`,
    height: 860,
    show: async page => {
      await page.locator('.answer-actions').waitFor()
      return ['.page-head', '.panes']
    },
  },
  {
    name: 'chat',
    path: () => `/console/chat/${acme.thread}`,
    height: 840,
    show: async page => {
      await page.locator('.thread .turn').nth(2).waitFor()
      return ['.panes']
    },
  },
  {
    name: 'search',
    path: () => '/console/documents?q=refund+for+damaged+goods',
    height: 800,
    show: async page => {
      await page.locator('.match').first().click()
      await page.locator('.detail .markdown').waitFor()
      return ['.filters', '.panes']
    },
  },
  {
    name: 'diagnosis',
    path: () => `/console/runs/${acme.stuck}?view=table&node=book`,
    width: 1380,
    show: async page => {
      await page.locator('.cause').waitFor()
      await page.locator('.run-panel').getByRole('tab').last().click()
      return ['.page-head', '.run-nodes']
    },
  },
  {
    name: 'fork',
    path: () => `/console/runs/${acme.cancelled}?view=table&node=book`,
    height: 1080,
    show: async page => {
      await page.locator('.run-panel').getByRole('button', { name: /Rerun/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('select').selectOption('ledger')
      await dialog.locator('textarea').first().fill('"https://ledger.acme.example/entries"')
      await dialog.locator('textarea').last().fill('The ledger has moved.')
      await dialog.getByText(/transform, corrected/).waitFor()
      // Leaves out the page behind the dialog.
      await page.evaluate('document.querySelector(".shell").style.visibility = "hidden"')
      return ['[role=dialog]']
    },
  },
  {
    name: 'editor',
    path: () => '/console/pathways/refunds/edit',
    height: 860,
    show: async page => {
      await writeAll(page.locator('.cm-content'), brokenRefunds)
      await page.locator('.finding').click()
      return ['.page-head', '.editor']
    },
  },
]

test.each(['light', 'dark'] as const)(
  'the pages in %s colors are free of errors, and are saved as pictures',
  async scheme => {
    for (const { name, path, width = 1200, height = 750, show } of SCENES) {
      const { page, expectClean } = await context.visit(path(), {
        actor: ANN,
        groups: ['group:finance'],
        scheme,
        scale: 2,
        workspace: acme.workspace,
      })
      await page.setViewportSize({ width, height })
      const selectors = await show(page)
      await page.evaluate(SETTLE)
      expect(await page.evaluate('document.fonts.check("16px Inter Variable")')).toBe(true)
      await expectClean()
      await save(page, `${name}-${scheme}`, selectors)
    }
  },
)

/** Removes the focus, scrolls to the top and waits for fonts. */
const SETTLE = 'document.activeElement?.blur(); scrollTo(0, 0); document.fonts.ready.then(() => undefined)'

const COLUMNS = ['Status', 'GanglionTitle', 'GanglionStatus', 'GanglionWaitingOn', 'GanglionDueAt', 'GanglionRequester']

const INTER = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** The UI without fonts of its own. */
const buildFont = (data: string) => `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style')
  style.textContent = '@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${data}) }' +
    'body { font-family: Inter !important }'
  document.head.append(style)
})`

test.each(['light', 'dark'] as const)('the Temporal UI in %s colors is saved as pictures', async scheme => {
  const { context: own } = await context.visit('/console/', { actor: ANN })
  const browser = await own.browser()?.newContext({
    colorScheme: scheme,
    deviceScaleFactor: 2,
    bypassCSP: true,
    timezoneId: 'UTC',
    locale: 'en-GB',
    viewport: { width: 1500, height: 800 },
  })
  if (!browser) throw new Error('no browser')
  const page = await browser.newPage()
  const namespace = TEMPORAL_NAMESPACE ?? 'default'
  const columns = JSON.stringify({ [namespace]: COLUMNS.map(label => ({ label })) })
  await page.addInitScript(`localStorage.setItem('namespace-workflow-table-columns', ${JSON.stringify(columns)})`)
  await page.addInitScript(buildFont(await readFile(INTER, 'base64')))
  const queue = context.stack.env['TEMPORAL_TASK_QUEUE'] ?? ''
  const query = `GanglionWorkspace = "acme" AND GanglionKind = "pathway" AND TaskQueue = "${queue}"`
  const base = `${TEMPORAL_UI_URL}/namespaces/${namespace}/workflows`
  await page.goto(`${base}?query=${encodeURIComponent(query)}`)
  await page.getByText('Nordwind Timber').first().waitFor()
  await save(page, `temporal-list-${scheme}`, ['table'], 0)
  await page.goto(`${base}/${acme.stuck}`)
  await page.getByText('Pending Activities').first().click()
  const failure = page.getByText('Last Failure').first().locator('..')
  const parts = ['Activity ID', 'Last Worker Identity', 'Reset'].map(text =>
    page.getByText(text).filter({ visible: true }).first(),
  )
  await failure.waitFor()
  await save(page, `temporal-run-${scheme}`, [failure, ...parts], 8)
  await browser.close()
})

async function save(page: Page, name: string, shown: (string | Locator)[], margin = MARGIN): Promise<void> {
  await page.waitForTimeout(SETTLE_MS)
  const elements = shown.map(element => (typeof element === 'string' ? page.locator(element).first() : element))
  const clip = await surround(page, elements, margin)
  await writeFile(join(folder, `${name}.png`), reduceColors(await page.screenshot({ clip })))
}

/** Pause before a picture, for layouts that follow late content. */
const SETTLE_MS = 1_000

/** Returns the rectangle that contains the elements with a margin around them. */
async function surround(page: Page, elements: Locator[], margin: number) {
  const boxes = (await Promise.all(elements.map(element => element.boundingBox()))).flatMap(box => box ?? [])
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - margin)
  const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - margin)
  const right = Math.min(width, Math.max(...boxes.map(box => box.x + box.width)) + margin)
  const bottom = Math.min(height, Math.max(...boxes.map(box => box.y + box.height)) + margin)
  return { x: left, y: top, width: right - left, height: bottom - top }
}
