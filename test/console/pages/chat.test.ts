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

test('a file is attached to a message, shown in the thread and downloaded', async () => {
  const { client } = context.workspace
  await client.post('/v1/neurons', { slug: 'clerk', title: 'Clerk', model: 'builtin:extractive' })
  const { page, expectClean } = await context.visit('/console/chat/new?with=neuron:clerk')
  await page.locator('.composer input[type="file"]').setInputFiles([
    { name: 'lease.txt', mimeType: 'text/plain', buffer: Buffer.from('The rent is 900 euros.') },
    { name: 'copy.txt', mimeType: 'text/plain', buffer: Buffer.from('A copy.') },
  ])
  const attached = page.getByRole('list', { name: 'Attached files' })
  await attached.getByRole('link', { name: /lease\.txt/ }).waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Remove copy.txt' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('How much is the rent?')
  await page.keyboard.press('Enter')
  await page.waitForURL(/chat\/[0-9a-f-]{36}/)
  const files = page.getByRole('list', { name: 'Files', exact: true })
  await files.getByRole('link', { name: /lease\.txt/ }).waitFor()
  expect(await files.getByRole('link').count()).toBe(1)
  const download = page.waitForEvent('download')
  await files.getByRole('link', { name: /lease\.txt/ }).click()
  expect((await download).suggestedFilename()).toBe('lease.txt')
  await expectClean()
})

test('a file that the service rejects is not attached', async () => {
  const { page } = await context.visit('/console/chat/new?with=neuron:clerk')
  const program = {
    name: 'run',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('\u007fELF\u0002\u0001\u0001\0'),
  }
  await page.locator('.composer input[type="file"]').setInputFiles([program])
  await page.getByText(/are not supported/).waitFor()
  expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0)
})
