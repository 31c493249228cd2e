import { waitUntil } from '../../support/stack/process.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

const snapshot = {
  stakeholders: [
    { id: 'ann', name: 'Ann Ito', role: 'CFO', stance: 'neutral', influence: 9 },
    { id: 'kim', name: 'Kim Lee', role: 'Buyer', stance: 'blocker', influence: 4 },
  ],
  edges: [{ from: 'kim', to: 'ann', type: 'reports_to' }],
}

test("a map can be viewed by version with marked changes, and shows a person's details", async () => {
  const { client } = context.workspace
  const { body: map } = await client.post<{ id: string }>('/v1/resources/stakeholder_maps', { title: 'ERP', snapshot })
  await client.post(`/v1/resources/stakeholder_maps/${map.id}/patch`, {
    delta: { stakeholders: { update: [{ id: 'ann', stance: 'supporter' }] } },
    note: 'after the meeting',
  })
  const { page, expectClean } = await context.visit('/console/stakeholders', { scheme: 'dark', width: 320 })
  await page.getByRole('link', { name: /ERP/ }).click()
  await page.getByText('Version 2: after the meeting').waitFor()
  await page.getByLabel('Mark changes').check()
  await page.getByRole('region', { name: 'Changes' }).getByText('supporter').waitFor()
  await waitUntil(() => page.evaluate<boolean>('document.querySelector(".map-picture img").naturalWidth > 0'))
  await page.getByLabel(/^Briefing/).selectOption('Ann Ito')
  await page.getByRole('article', { name: 'Briefing on Ann Ito' }).getByText('CFO', { exact: true }).waitFor()
  await expectClean()
  await page.getByRole('slider').press('ArrowLeft')
  await page.waitForURL(/version=1/)
  await page.getByText('Version 1:').waitFor()
})
