import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { readEnvironment } from '../../../config/environment.ts'
import { createSignInLink } from '../../support/clients/console.ts'
import { long, LONG_INPUT, NOTE_LONG_TASKS, wide } from '../../support/pathways/large-pathways.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { computeFigures } from '../support/figures.ts'
import { machineFacts } from '../support/machine.ts'
import { readOptions } from '../support/options.ts'

const SAMPLES = 12
const OPEN = 20

/** Records when the page content appears, and which page tasks take longer than 50 ms. */
const NOTE_TIMES = `${NOTE_LONG_TASKS}
const look = () => {
  const isThere = [...document.querySelectorAll('main button')].some(({ textContent }) => textContent === 'Approve')
  isThere ? (window.contentAt = performance.now()) : requestAnimationFrame(look)
}
look()`
const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0].startTime`

const approval = {
  ...pathway(
    [
      { id: 'total', type: 'transform', with: { value: '${40 + 2}' } },
      { id: 'review', type: 'human', kind: 'approval', title: 'Pay ${string(nodes.total.output)}?' },
      { id: 'end', type: 'end' },
    ],
    'total > review',
    'review.approve > end',
    'review.reject > end',
  ),
  run_title: 'Payment',
}

/** `npm run bench:console [-- --quick]`: measures console page load times and longest tasks, in headless Chromium. */
async function main(): Promise<number> {
  const { quick } = readOptions(process.argv.slice(2))
  const samples = quick ? SAMPLES / 4 : SAMPLES
  const stack = await startStack()
  const browser = await chromium.launch({ executablePath: readEnvironment()['CHROMIUM'], args: ['--no-sandbox'] })
  try {
    const workspace = await stack.workspace({ actor: 'user:ann' })
    const state = await signIn(browser, await createSignInLink(stack, workspace))
    const open = async () => browser.newContext({ baseURL: stack.baseUrl, storageState: state })
    const rows = [
      ...(await measureFirstPaints(open, workspace, samples)),
      ...(await measureLongTasks(open, workspace, samples)),
    ]
    const { cores, cpu, node, load } = machineFacts()
    const head = ['page', 'p50 (ms)', 'p95']
    const table = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
    process.stdout.write(`${cores} cores (${cpu}), node ${node}, load ${load}\n\n${table.join('\n')}\n`)
    return 0
  } finally {
    await browser.close()
    await stack.stop()
  }
}

type Open = () => Promise<BrowserContext>
type State = Awaited<ReturnType<BrowserContext['storageState']>>

async function signIn(browser: Browser, link: string): Promise<State> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.locator('nav').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** First paint and content of the inbox and run page, with an empty and a filled cache. */
async function measureFirstPaints(open: Open, { client }: TestWorkspace, samples: number): Promise<string[][]> {
  const runs = await Promise.all(Array.from({ length: OPEN }, () => startRun(client, approval)))
  const [first] = (await Promise.all(runs.map(jobId => asked(client, jobId)))).flat()
  const pages = { inbox: `inbox/${first?.interventionId}`, run: `runs/${runs[0]}` }
  const rows: string[][] = []
  for (const [name, path] of Object.entries(pages)) {
    const taken: Record<string, number[]> = {}
    const note = (what: string, ms: number) => (taken[`${name}, ${what}`] ??= []).push(ms)
    for (let n = 0; n < samples; n++) {
      const context = await open()
      await context.addInitScript(NOTE_TIMES)
      const page = await context.newPage()
      for (const cache of ['cold', 'warm']) {
        const { paint, content } = await visit(page, `/console/${path}`)
        note(`${cache}: first paint`, paint)
        note(`${cache}: content`, content)
      }
      await context.close()
    }
    rows.push(...Object.entries(taken).map(toRow))
  }
  return rows
}

async function visit(page: Page, path: string): Promise<{ paint: number; content: number }> {
  await page.goto(path)
  const content = await waitUntil(() => page.evaluate<number | undefined>('window.contentAt'))
  return { paint: await page.evaluate<number>(FIRST_PAINT), content }
}

/** The longest task while a large run is opened as a graph and as a table, and a node is selected. */
async function measureLongTasks(open: Open, { client }: TestWorkspace, samples: number): Promise<string[][]> {
  const rows: string[][] = []
  for (const [name, definition, input] of [
    ['500 nodes', wide, {}],
    ['5,000 visits', long, LONG_INPUT],
  ] as const) {
    const jobId = await startRun(client, definition, input)
    await jobWith(client, jobId, 'waiting')
    const longest: number[] = []
    for (let n = 0; n < samples; n++) {
      const context = await open()
      await context.addInitScript(NOTE_TIMES)
      longest.push(await lookThrough(await context.newPage(), jobId))
      await context.close()
    }
    rows.push(toRow([`${name}: longest task`, longest]))
  }
  return rows
}

async function lookThrough(page: Page, jobId: string): Promise<number> {
  const tasks: number[] = []
  for (const view of ['graph', 'table']) {
    await page.goto(`/console/runs/${jobId}?view=${view}`)
    await page
      .getByRole('button', { name: /Enough/ })
      .first()
      .click()
    await page.getByRole('region', { name: 'Selected node' }).waitFor()
    tasks.push(...(await page.evaluate<number[]>('window.longTasks')))
  }
  return Math.max(0, ...tasks)
}

function toRow([name, samples]: [name: string, samples: number[]]): string[] {
  const { median, p95 } = computeFigures(samples)
  return [name, median.toFixed(0), p95.toFixed(0)]
}

process.exit(await main())
