import { useConsole } from '../../support/clients/console.ts'

const context = useConsole()

test("a neuron's thread shows its calls, its answer and its question", async () => {
  const { client } = context.workspace
  const tools = [{ name: 'calculate' }, { name: 'ask_human' }]
  await client.post('/v1/reflexes', { slug: 'desk-tools', title: 'Tools of the desk', source: 'builtin', tools })
  await client.post('/v1/neurons', {
    slug: 'desk',
    title: 'Travel desk',
    model: 'builtin:extractive',
    neuron_type: 'agent',
    instructions: 'First use calculate, then ask_human "Which team is it?".',
    tools: [{ reflex: 'desk-tools' }],
  })
  const { page, expectClean } = await context.visit('/console/chat/new', { scheme: 'dark', width: 320 })
  await page.getByLabel('Chat with').selectOption('Travel desk')
  await page.getByRole('textbox', { name: 'Message' }).fill('How much is 12.5 * (3 + 4)? <img src=x onerror=alert(1)>')
  await page.keyboard.press('Enter')
  await page.waitForURL(/chat\/[0-9a-f-]{36}/)
  await page.getByText('calculate').click()
  await page.getByText('87.5').first().waitFor()
  const question = page.getByRole('region', { name: 'Open task' })
  await question.getByLabel('Which team is it?').fill('The blue one')
  await expectClean()
  await question.getByRole('button', { name: 'Answer' }).click()
  await page.locator('summary', { hasText: 'ask_human' }).getByText('completed').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
})

test("a viewer can read other people's threads, but not send messages", async () => {
  const { page, expectClean } = await context.visit('/console/chat?of=all', { actor: 'user:vic', role: 'viewer' })
  await page.getByRole('link', { name: /How much/ }).click()
  await page.getByRole('article', { name: 'Turn 1' }).waitFor()
  expect(await page.getByRole('button', { name: /Send|New thread|Stop/ }).count()).toBe(0)
  await expectClean()
})
