import { build } from 'esbuild'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { CHECKOUT } from '../../../dev/machine/folders.ts'
import { useAgents } from '../../support/agents/agents.ts'
import { useConsoleOf } from '../../support/clients/console.ts'
import { startWebsite } from '../../support/clients/website.ts'
import type { TestServer } from '../../support/stack/http-server.ts'

/** The chat on a website with another origin, a strict content security policy and styles of its own. */

const context = useConsoleOf(useAgents())
const sites: TestServer[] = []

const post = async <T>(path: string, body: object): Promise<T> => {
  const reply = await context.workspace.client.post<T>(path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

beforeAll(async () => {
  await context.neuron({ slug: 'porter' })
  context.plays('opening hours', { tokens: ['The museum **opens** at ten. ', '<b>Welcome</b>'] })
  const words = Array.from({ length: 40 }, (_, i) => `word${i} `)
  context.plays('long story', { tokens: words, delay_ms: 250 })
  await post('/v1/pathways', {
    slug: 'claim',
    title: 'Claim',
    definition: {
      schema: 'pathway/1',
      nodes: [
        {
          id: 'details',
          type: 'human',
          kind: 'form',
          title: 'Your claim',
          assignees: ['${run.requester}'],
          form: {
            type: 'object',
            required: ['policy', 'amount'],
            properties: {
              policy: { type: 'string', title: 'Policy', pattern: '^P-[0-9]{4}$' },
              amount: { type: 'number', title: 'Amount' },
              cause: { enum: ['theft', 'fire'], title: 'Cause' },
              report: { type: 'string', format: 'file', title: 'Report' },
              note: { type: ['string', 'null'], title: 'Note', default: '${null}' },
              parts: { type: 'array', items: { type: 'string' }, title: 'Parts', default: '${"wheel"}' },
              letter: { type: 'string', title: 'Letter', default: 'Dear Ann\nDear Bob' },
              photos: { type: 'array', items: { type: 'string', format: 'file' }, title: 'Photos' },
              other: { title: 'Other details' },
            },
            if: { required: ['cause'], properties: { cause: { const: 'theft' } } },
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: {
              required: ['place'],
              properties: {
                place: { $ref: '#/$defs/place' },
                policy: { description: 'The policy for thefts' },
              },
            },
            $defs: { place: { type: 'string', title: 'Place of the theft' } },
          },
        },
        {
          id: 'team',
          type: 'human',
          kind: 'approval',
          title: 'Check the claim',
          context: '${nodes.details.output.data}',
        },
        { id: 'done', type: 'end', output: { text: 'Claim ${nodes.details.output.data.policy} is accepted.' } },
        { id: 'rejected', type: 'end', output: { text: 'The claim is rejected.' } },
      ],
      edges: [
        { from: 'details', on: 'submit_input', to: 'team' },
        { from: 'team', on: 'approve', to: 'done' },
        { from: 'team', on: 'reject', to: 'rejected' },
      ],
    },
  })
  await post('/v1/receptors', { slug: 'museum', title: 'Museum', target: { type: 'neuron', ref: 'porter' } })
  await post('/v1/receptors', { slug: 'claims', title: 'Claims', target: { type: 'pathway', ref: 'claim' } })
})
afterAll(() => Promise.all(sites.map(site => site.close())))

/** Starts a site that embeds the chat of a receptor. */
async function embed(slug: string, render: (nonce: string, token: string) => string): Promise<string> {
  let token = ''
  const site = await startWebsite(
    nonce => render(nonce, token),
    () => context.stack.baseUrl,
  )
  sites.push(site)
  const target = { type: 'receptor', id: slug }
  const share = { name: slug, target, allowed_origins: [site.url] }
  ;({ share_token: token } = await post<{ share_token: string }>('/v1/share-tokens', share))
  return site.url
}

const embedWidget = (slug: string, attributes = '') =>
  embed(
    slug,
    (nonce, token) =>
      `<script ${nonce} async src="${context.stack.baseUrl}/v1/public/widget.js"
         data-receptor="${context.workspace.slug}/${slug}" data-token="${token}" ${attributes}></script>`,
  )

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

test('the widget opens and closes with the keyboard, answers, and passes axe', async () => {
  const site = await embedWidget(
    'museum',
    'data-label-heading="Museum chat" data-label-greeting="Ask about *tickets*."',
  )
  const { page, expectClean } = await context.visitAsStranger(site, { site, scheme: 'dark', width: 320 })
  await page.getByRole('button', { name: 'Open chat' }).press('Enter')
  await page.getByText('Ask about tickets.').waitFor()
  await page.keyboard.type('What are the opening hours?')
  await page.keyboard.press('Enter')
  await page.getByText('The museum opens at ten. <b>Welcome</b>').first().waitFor()
  await page.getByRole('status').getByText('The museum **opens** at ten.').waitFor()
  expect(await page.locator('strong', { hasText: 'opens' }).count()).toBe(1)
  await expectClean()
  await page.keyboard.type('And the tickets?')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Open chat' }).getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Museum chat' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And the tickets?')
})

test('a reload in the middle of an answer continues the answer', async () => {
  const site = await embedWidget('museum')
  const { page, expectClean } = await context.visitAsStranger(site, { site })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await say(page, 'Tell me a long story')
  await page.getByText('word3').first().waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.locator('[data-status=writing]', { hasText: 'word0' }).waitFor()
  await page.locator('[data-status=done]', { hasText: /word0 .*word39/ }).waitFor()
  expect(await page.locator('[data-role=user]').allInnerTexts()).toEqual([
    expect.stringContaining('Tell me a long story'),
  ])
  expect(await page.locator('[data-role=assistant]').count()).toBe(1)
  await expectClean()
})

test('a visitor fills in a form with a file, and then waits for the team', async () => {
  const site = await embedWidget('claims')
  const { page, expectClean } = await context.visitAsStranger(site, { site, width: 320 })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await say(page, 'My bike was stolen')
  const form = page.getByRole('form', { name: 'Your claim' })
  await form.waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Open chat' }).click()
  await form.getByLabel('Policy').fill('1234')
  await form.getByLabel('Amount').fill('12.5')
  await form.getByLabel('Cause').selectOption('fire')
  expect(await form.getByLabel('Place of the theft').count()).toBe(0)
  await form.getByLabel('Cause').selectOption('theft')
  await form.getByLabel('Place of the theft').fill('Station')
  await form.getByLabel('Other details').fill('{"incomplete":')
  expect(await form.getByLabel('Place of the theft').inputValue()).toBe('Station')
  await form.getByLabel('Other details').fill('')
  expect(await form.getByLabel('Note').inputValue()).toBe('')
  expect(await form.getByLabel('Parts').inputValue()).toBe('wheel')
  await form.getByRole('button', { name: 'Submit' }).click()
  await form.getByRole('alert').waitFor()
  expect(await form.getByLabel('Policy').getAttribute('aria-invalid')).toBe('true')
  await expectClean()
  await form.getByLabel('Policy').fill('P-1234')
  const report = { name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('Stolen at night.') }
  await form.getByLabel('Report').setInputFiles([report])
  const photos = [
    { ...report, name: 'one.txt' },
    { ...report, name: 'two.txt' },
  ]
  await form.getByLabel('Photos').setInputFiles(photos)
  await form.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Your claim: Answered').waitFor()
  await page.getByText('Waiting for the team').first().waitFor()
  await expectClean()
  const { client, id } = context.workspace
  const { body } = await client.get<{
    data: { interventionId: string; job_id: string; title: string; context: { report: string; photos: string[] } }[]
  }>('/v1/interventions?status=open')
  const task = body.data.find(({ title }) => title === 'Check the claim')
  const { body: file } = await client.get<{ file_name: string }>(`/v1/files/${task?.context.report}`)
  expect(file.file_name).toBe('report.txt')
  const { photos: ids, ...rest } = task?.context ?? {}
  expect(rest).toMatchObject({ parts: ['wheel'], letter: 'Dear Ann\nDear Bob', place: 'Station' })
  const names = await Promise.all(
    (ids ?? []).map(async each => (await client.get<typeof file>(`/v1/files/${each}`)).body),
  )
  expect(names.map(({ file_name }) => file_name)).toEqual(['one.txt', 'two.txt'])
  await post(`/v1/jobs/${task?.job_id}/input`, {
    workspace_id: id,
    input: { type: 'intervention_response', interventionId: task?.interventionId, action: 'approve' },
  })
  await page.getByText('Claim P-1234 is accepted.').first().waitFor()
})

test('a visitor attaches files to a message, and the agent reads them', async () => {
  context.plays('the lease', { tokens: ['I read the lease.'] })
  const site = await embedWidget('museum')
  const { page, expectClean } = await context.visitAsStranger(site, { site, width: 320 })
  await page.getByRole('button', { name: 'Open chat' }).click()
  const lease = { name: 'lease.txt', mimeType: 'text/plain', buffer: Buffer.from('The rent is 900 euros.') }
  const other = { name: 'other.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(100, 1) }
  await page.getByLabel('Attach files').setInputFiles([lease, other])
  await page.getByRole('button', { name: 'Remove: lease.txt' }).waitFor()
  await page.getByRole('button', { name: 'Remove: other.bin' }).click()
  await expectClean()
  await say(page, 'What is in the lease?')
  await page.locator('[data-role=user]', { hasText: 'lease.txt' }).waitFor()
  await page.getByText('I read the lease.').first().waitFor()
  expect(JSON.stringify(context.models.requests.at(-1))).toContain('The rent is 900 euros.')
  await page.reload()
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.locator('[data-role=user]', { hasText: 'lease.txt' }).waitFor()
  await page.getByLabel('Attach files').setInputFiles([other])
  await say(page, 'And this one?')
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And this one?')
  expect(await page.locator('[data-role=user]').count()).toBe(1)
  await expectClean()
})

test('what a visitor writes and attaches during an upload is kept', async () => {
  context.plays('the lease', { tokens: ['I read the lease.'] })
  const site = await embedWidget('museum')
  const { page, context: browser } = await context.visitAsStranger(site, { site })
  await page.getByRole('button', { name: 'Open chat' }).click()
  const hold = async () => {
    const held = Promise.withResolvers<void>()
    await browser.unroute('**/public/files*')
    await browser.route('**/public/files*', async route => {
      await held.promise
      await route.continue()
    })
    return held.resolve
  }
  const lease = { name: 'lease.txt', mimeType: 'text/plain', buffer: Buffer.from('The rent is 900 euros.') }
  const other = { name: 'other.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(100, 1) }
  const message = page.getByRole('textbox', { name: 'Message' })
  const release = await hold()
  await page.getByLabel('Attach files').setInputFiles([lease])
  await say(page, 'What is in the lease?')
  await page.getByLabel('Attach files').setInputFiles([other])
  await message.fill('And in the other one?')
  release()
  await page.getByText('I read the lease.').first().waitFor()
  expect(await page.getByRole('button', { name: /^Remove: / }).allInnerTexts()).toEqual(['other.bin ×'])
  expect(await message.inputValue()).toBe('And in the other one?')
  const releaseOther = await hold()
  await message.press('Enter')
  await message.fill('Thanks')
  releaseOther()
  await page.getByRole('alert').waitFor()
  expect(await message.inputValue()).toBe('And in the other one?\nThanks')
})

test('a message that could not be sent is sent once when the visitor retries', async () => {
  const site = await embedWidget('museum')
  const { page, context: browser } = await context.visitAsStranger(site, { site })
  await page.getByRole('button', { name: 'Open chat' }).click()
  const keys: (string | undefined)[] = []
  // The service accepts the message, but its response is lost.
  await browser.route('**/invoke', async route => {
    keys.push(route.request().headers()['idempotency-key'])
    await route.fetch()
    await route.abort()
  })
  await say(page, 'What are the opening hours?')
  await page.getByText('No connection.').first().waitFor()
  await browser.unroute('**/invoke')
  page.on('request', request => {
    if (request.url().endsWith('/invoke') && request.method() === 'POST')
      keys.push(request.headers()['idempotency-key'])
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('[data-role=assistant][data-status=done]', { hasText: 'opens' }).waitFor()
  expect(new Set(keys).size).toBe(1)
  await page.reload()
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.locator('[data-role=assistant]', { hasText: 'opens' }).waitFor()
  expect(await page.locator('[data-role=user]').count()).toBe(1)
})

test('a page of a site that the token does not allow shows that the chat is not available', async () => {
  const allowed = await embedWidget('museum')
  const other = await embed('museum', () => '')
  const { page } = await context.visitAsStranger(allowed, { site: allowed })
  const html = await page.content()
  const { page: stranger } = await context.visitAsStranger(other, { site: other })
  const script = /<script[^>]*async[^>]*>/.exec(html)?.[0] ?? ''
  const [, token = ''] = /data-token="([^"]+)"/.exec(script) ?? []
  await stranger.evaluate(`{
    const script = Object.assign(document.createElement('script'), { src: '${context.stack.baseUrl}/v1/public/widget.js' })
    script.nonce = document.querySelector('style').nonce
    Object.assign(script.dataset, { receptor: '${context.workspace.slug}/museum', token: '${token}' })
    document.body.append(script)
  }`)
  await stranger.getByRole('button', { name: 'Open chat' }).click()
  await say(stranger, 'What are the opening hours?')
  await stranger.getByText('This chat is not available.').first().waitFor()
})

test('a chat with an inactive gateway says so', async () => {
  const created = await post<{ id: string }>('/v1/receptors', {
    slug: 'closed',
    title: 'Closed',
    target: { type: 'neuron', ref: 'porter' },
  })
  const site = await embedWidget('closed')
  const { page } = await context.visitAsStranger(site, { site })
  await context.workspace.client.patch(`/v1/receptors/${created.id}`, { is_active: false })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await say(page, 'Is anyone there?')
  await page.locator('.gc-error', { hasText: 'This chat is not available.' }).waitFor()
})

test('the React component shows the same chat in a page of its own', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createElement, StrictMode } from 'react'
        import { createRoot } from 'react-dom/client'
        import { Chat } from '@ganglion/client/react'
        const { receptor, token, url } = document.currentScript.dataset
        const props = { baseUrl: url, receptor, shareToken: token, labels: { send: 'Ask' }, scheme: 'light' }
        createRoot(document.querySelector('#chat')).render(createElement(StrictMode, null, createElement(Chat, props)))`,
      resolveDir: join(CHECKOUT, 'console'),
    },
    bundle: true,
    write: false,
    minify: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const code = (outputFiles[0]?.text ?? '').replaceAll('</script', String.raw`<\/script`)
  const site = await embed(
    'museum',
    (nonce, token) => `<aside id="chat"></aside><script ${nonce} data-url="${context.stack.baseUrl}"
      data-receptor="${context.workspace.slug}/museum" data-token="${token}">${code}</script>`,
  )
  const { page } = await context.visitAsStranger(site, { site })
  // The component is part of the page, so the styles of the page apply to it.
  await page.evaluate(`document.querySelector('style').remove()`)
  await say(page, 'What are the opening hours?')
  await page.getByText('The museum opens at ten.').first().waitFor()
  await page.getByRole('button', { name: 'Ask' }).waitFor()
})
