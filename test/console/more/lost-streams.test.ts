import { useConsole } from '../../support/clients/console.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { askThenEnd, asked, startRun } from '../../support/runs/runs.ts'

const context = useConsole()

/** The client stops reconnecting at the eleventh failed attempt. */
const ATTEMPTS = 11
const EVENTS = '**/v1/events/stream**'

test('a page that stopped reconnecting reads its events again once the service is back', async () => {
  const { page } = await context.visit('/console/settings')
  let refused = 0
  await page.route(EVENTS, route => {
    refused++
    return route.abort()
  })
  await page.goto('/console/inbox')
  await page.locator('main h1').first().waitFor()
  await waitUntil(() => refused >= ATTEMPTS, 100_000)
  await page.unroute(EVENTS)
  await page.waitForResponse(response => response.url().includes('/v1/events/stream') && response.ok())
  const jobId = await startRun(context.workspace.client, askThenEnd('done', { title: 'Release the funds?' }))
  await asked(context.workspace.client, jobId)
  await page.getByText('Release the funds?').first().waitFor()
})
