import { pathway } from '../support/runs.ts'
import { useConsole } from '../support/console.ts'

const context = useConsole()

const greet = (text: string) => ({
  ...pathway([{ id: 'done', type: 'end', title: 'Greet', output: text }]),
  input: { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Name' } } },
})

test('a pathway is found, looked at in an earlier version, and started by the form of its input', async () => {
  const { client } = context.workspace
  await client.post('/v1/pathways', { slug: 'greet', title: 'Greetings', definition: greet('Hello ${input.name}') })
  await client.patch('/v1/pathways/greet', { definition: greet('Bye ${input.name}') })
  const { page, expectClean } = await context.visit('/console/pathways', { scheme: 'dark', width: 320 })
  await page.getByRole('link', { name: /Greetings/ }).click()
  await page.getByRole('button', { name: /Greet/ }).click()
  await page.getByRole('region', { name: 'The chosen node' }).getByText('Bye').waitFor()
  await page.getByLabel('Version').selectOption('1')
  await page.waitForURL(/version=1/)
  await page.getByRole('tab', { name: 'Start a run' }).click()
  await expectClean()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('Fill this in.').waitFor()
  await page.getByLabel('Name').fill('Ann')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Result' }).getByText('Hello Ann').waitFor()
})
