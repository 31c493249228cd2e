import { waitUntil } from '../../support/stack/process.ts'
import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/markdown',
  buffer: Buffer.from(text),
})
const HOSTILE = '<img src=x onerror=alert(1)>'

test('a document can be uploaded, read in each version, moved by keyboard, and found', async () => {
  const { client } = context.workspace
  const { body: artifact } = await client.post<{ id: string }>('/v1/artifacts', {
    title: 'Notes',
    path: '/plans',
    content: 'First draft',
  })
  await client.patch(`/v1/artifacts/${artifact.id}`, { content: { replace: 'Second draft' }, note: 'corrected' })
  const { page, expectClean } = await context.visit('/console/documents', { scheme: 'dark', width: 320 })
  await page
    .getByLabel('Uploads')
    .locator('input')
    .setInputFiles([file('rent.md', `# Rent\n\nThe zebra pays ${HOSTILE}`)])
  await page.getByRole('heading', { name: 'Rent', level: 2 }).waitFor()
  await page.getByText('stored').waitFor()
  await page.getByRole('region', { name: 'Text' }).getByText('The zebra pays').waitFor()
  await expectClean()
  await page.getByRole('link', { name: 'All' }).click()
  await page.getByRole('treeitem', { name: 'Rent' }).press('m')
  await page.getByLabel('Folder', { exact: true }).fill('/contracts')
  await page.keyboard.press('Enter')
  await page.getByRole('treeitem', { name: 'contracts' }).press('ArrowRight')
  await page.getByRole('treeitem', { name: 'contracts' }).getByRole('treeitem', { name: 'Rent' }).waitFor()
  await page.getByRole('treeitem', { name: 'plans' }).press('ArrowRight')
  await page.getByRole('treeitem', { name: 'Notes' }).press('Enter')
  await page.getByText('Second draft').waitFor()
  await page.getByLabel('Version').selectOption('1')
  await page.getByText('First draft').waitFor()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await page.waitForURL(url => !url.search.includes('version'))
  await waitUntil(async () => {
    const { status, body } = await client.post<{ matches: object[] }>('/v1/search', { query: 'zebra', mode: 'keyword' })
    return status === 200 && body.matches.length > 0
  })
  await page.getByRole('link', { name: 'All' }).click()
  await page.getByRole('searchbox').fill('zebra')
  await page.keyboard.press('Enter')
  await page.locator('mark').getByText('zebra').waitFor()
  await page.getByText(HOSTILE).waitFor()
  await expectClean()
})

test('a document can be dragged into a folder; a viewer cannot change anything', async () => {
  const { client } = context.workspace
  await client.post('/v1/artifacts', { title: 'Loose', content: 'x' })
  await client.post('/v1/artifacts', { title: 'Kept', path: '/archive', content: 'x' })
  const { page, expectClean } = await context.visit('/console/documents')
  await page.getByText('Loose', { exact: true }).dragTo(page.getByText('archive', { exact: true }))
  await page.getByRole('treeitem', { name: 'archive' }).press('ArrowRight')
  await page.getByRole('treeitem', { name: 'archive' }).getByRole('treeitem', { name: 'Loose' }).waitFor()
  await expectClean()
  const viewer = await context.visit('/console/documents', { actor: 'user:vic', role: 'viewer' })
  await viewer.page.getByRole('treeitem', { name: 'archive' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: /Upload|Move/ }).count()).toBe(0)
})
