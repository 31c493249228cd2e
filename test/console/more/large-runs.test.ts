import type { Page } from 'playwright-core'
import { useConsole } from '../../support/clients/console.ts'
import { long, LONG_INPUT, NOTE_LONG_TASKS, wide } from '../../support/pathways/large-pathways.ts'
import { jobWith, startRun } from '../../support/runs/runs.ts'

const context = useConsole()

/** Inspects a run in each view, answers it, and returns its longest task in milliseconds. */
async function lookThrough(page: Page, jobId: string): Promise<number> {
  const durations: number[] = []
  const show = async (view: string) => {
    await page.goto(`/console/runs/${jobId}?view=${view}`)
    const rows = page.getByRole('group', { name: /^Nodes/ }).getByRole('button')
    await (view === 'graph' ? page.getByRole('button', { name: 'Enough? human' }) : rows.nth(3)).click()
    await page.getByRole('region', { name: 'Selected node' }).getByRole('tab', { name: 'Output' }).click()
    expect(await page.locator('.react-flow__node').count()).toBeLessThan(300)
  }
  const note = async () => durations.push(...(await page.evaluate<number[]>('window.longTasks')))
  for (const view of ['timeline', 'table', 'graph']) {
    await show(view)
    await note()
  }
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('region', { name: 'Result' }).waitFor()
  await note()
  return Math.max(0, ...durations)
}

const ATTEMPTS = 3
const LONG_MS = 200

// A busy machine makes tasks longer at times, but slow page code is slow every time.
test.each([
  ['500 nodes', wide, {}],
  ['5,000 visits', long, LONG_INPUT],
])('a run with %s can be inspected and answered without a long task', async (_, definition, input) => {
  const { client } = context.workspace
  const longest: number[] = []
  while (longest.length < ATTEMPTS && !longest.some(duration => duration <= LONG_MS)) {
    const jobId = await startRun(client, definition, input)
    await jobWith(client, jobId, 'waiting')
    const { page, context: browser } = await context.visit('/console/')
    await browser.addInitScript(NOTE_LONG_TASKS)
    longest.push(await lookThrough(page, jobId))
  }
  expect(Math.min(...longest)).toBeLessThanOrEqual(LONG_MS)
})
