import { pathway } from '../../support/runs/runs.ts'
import { useConsole, writeAll } from '../../support/clients/console.ts'

const context = useConsole()

const greet = (text: string) => ({
  ...pathway([{ id: 'done', type: 'end', title: 'Greet', output: text }]),
  input: { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Name' } } },
})

test('a pathway can be found, viewed in an earlier version, and started from its input form', async () => {
  const { client } = context.workspace
  await client.post('/v1/pathways', { slug: 'greet', title: 'Greetings', definition: greet('Hello ${input.name}') })
  await client.patch('/v1/pathways/greet', { definition: greet('Bye ${input.name}') })
  const { page, expectClean } = await context.visit('/console/pathways', { scheme: 'dark', width: 320 })
  await page.getByRole('link', { name: /Greetings/ }).click()
  await page.getByRole('button', { name: /Greet/ }).click()
  await page.getByRole('region', { name: 'Selected node' }).getByText('Bye').waitFor()
  await page.getByLabel('Version').selectOption('1')
  await page.waitForURL(/version=1/)
  await page.getByRole('tab', { name: 'Start a run' }).click()
  await expectClean()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('Required.').waitFor()
  await page.getByLabel('Name').fill('Ann')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Result' }).getByText('Hello Ann').waitFor()
})

const readPrices = (withFields: object, ...lines: string[]) =>
  JSON.stringify(
    pathway(
      [
        { id: 'fetch', type: 'http', title: 'Read the prices', with: { url: 'https://example.com', ...withFields } },
        { id: 'done', type: 'end', output: '${nodes.fetch.output}' },
      ],
      ...lines,
    ),
    null,
    2,
  )

test('a new pathway is written with underlined problems and a live graph, and then saved', async () => {
  const { page, expectClean } = await context.visit('/console/new-pathway', { width: 320 })
  await page.getByLabel('Title').fill('Prices')
  const text = page.getByRole('textbox', { name: 'Definition' })
  const marks = page.locator('.cm-lintRange-error')
  await writeAll(text, '{"nodes": [}')
  await page.getByRole('button', { name: /Invalid JSON/ }).waitFor()
  await writeAll(text, readPrices({ method: 'FETCH' }, 'fetch > done'))
  await page.getByRole('button', { name: /Read the prices/ }).waitFor()
  await page.getByRole('button', { name: '/nodes/0/with/method' }).waitFor()
  expect(await marks.allTextContents()).toEqual(['"FETCH"'])
  await writeAll(text, readPrices({}, 'fetch > done', 'fetch > gone', 'lost > done'))
  await page.getByRole('button', { name: '/edges/1/to there is no node "gone" in this graph' }).click()
  expect(await marks.allTextContents()).toEqual(['"gone"', '"lost"'])
  await expectClean()
  await writeAll(text, readPrices({}, 'fetch > done'))
  await page.getByRole('status').getByText('0 problems').waitFor()
  await page.getByRole('button', { name: /Read the prices/ }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Edit Prices' }).waitFor()
  await expectClean()
})

test("a version saved by someone else is displayed, and the editor keeps the person's text until they overwrite that version", async () => {
  const { client } = context.workspace
  await client.post('/v1/pathways', { slug: 'shared', title: 'Shared', definition: greet('one') })
  const { page, expectClean } = await context.visit('/console/pathways/shared/edit', { scheme: 'dark' })
  const text = page.getByRole('textbox', { name: 'Definition' })
  await writeAll(text, JSON.stringify(greet('mine')))
  await client.patch('/v1/pathways/shared', { definition: greet('theirs'), note: 'because of the law' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .getByText(/because of the law/)
    .waitFor()
  await expectClean()
  await page.reload()
  await text.getByText('mine').waitFor()
  await page.getByRole('button', { name: 'Keep my draft' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved as version 3').waitFor()
  const saved = await client.get<{ definition: unknown }>('/v1/pathways/shared')
  expect(saved.body.definition).toEqual(greet('mine'))
})
