import type { Page } from 'playwright-core'
import { setHidden, useConsole, type Visitor } from '../../support/clients/console.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'

const context = useConsole()

const HOSTILE =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [a](javascript:hacked=1) <mark>evil'
/** Titles can't have characters that change the direction of text. */
const REVERSED = `${HOSTILE} \u202Elive`
const approval = (title: string, more: object = {}) =>
  pathway(
    [
      { id: 'review', type: 'human', kind: 'approval', title, ...more },
      { id: 'done', type: 'end', output: HOSTILE },
    ],
    'review.approve > done',
    'review.reject > done',
  )

async function ask(title: string, more: object = {}) {
  const { client } = context.workspace
  const jobId = await startRun(client, { ...approval(title, more), run_title: title })
  const [open] = await asked(client, jobId)
  return { jobId, interventionId: open?.interventionId ?? '' }
}

const PAGES = [
  'inbox',
  'runs',
  'pathways',
  'new-pathway',
  'automations',
  'chat',
  'documents',
  'usage',
  'settings',
  'stakeholders',
]

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
  ['dark', 320],
] as const)(
  'all pages are free of errors and accessibility violations in %s at %i px, and nothing moves',
  async (scheme, width) => {
    const { page, expectClean } = await context.visit('/console/', { scheme, width })
    for (const path of PAGES) {
      await page.goto(`/console/${path}`)
      await page.locator('main h1').first().waitFor()
      await expectClean()
      expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    }
  },
)

test('malicious texts are displayed as text', async () => {
  const { client } = context.workspace
  const definition = {
    ...approval(HOSTILE, { description: REVERSED, context: { [REVERSED]: REVERSED } }),
    run_title: HOSTILE,
    input: { type: 'object', properties: { a: { type: 'string', title: REVERSED, description: REVERSED } } },
  }
  await client.post('/v1/pathways', { slug: 'hostile', title: HOSTILE, description: REVERSED, definition })
  const { body: run } = await client.post<{ job_id: string }>('/v1/jobs', {
    pathway_id: 'hostile',
    input: { a: REVERSED },
  })
  const [open] = await asked(client, run.job_id)
  await client.post('/v1/ingest', { text: REVERSED, title: HOSTILE })
  const { page, expectClean } = await context.visit('/console/')
  const look = async (path: string) => {
    await page.goto(`/console/${path}`)
    await page.getByText('onerror').first().waitFor()
    await expectClean()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0)
  }
  for (const path of [
    'runs',
    `runs/${run.job_id}`,
    `inbox/${open?.interventionId}?view=all`,
    'pathways',
    'pathways/hostile',
  ])
    await look(path)
  await page.getByRole('tab', { name: 'Start a run' }).click()
  await page.getByLabel('onerror').first().waitFor()
  expect(await page.evaluate('window.hacked')).toBeUndefined()
})

test('when two people decide at once, one decision counts, and the other person sees it and keeps their comment', async () => {
  const { jobId, interventionId } = await ask('Who is first?')
  const path = `/console/inbox/${interventionId}?view=all`
  const people = [await context.visit(path), await context.visit(path, { actor: 'user:bob' })] as const
  await Promise.all(people.map(({ page }, i) => page.getByLabel('Comment').fill(`by ${i}`)))
  await Promise.all(people.map(({ page }) => page.getByRole('button', { name: 'Approve' }).click()))
  const { result } = await jobWith(context.workspace.client, jobId)
  expect(result).toBe(HOSTILE)
  const keeps = ({ page }: Visitor) =>
    page.evaluate<string | null>(`localStorage.getItem('ganglion-draft:${interventionId}')`)
  await waitUntil(async () => (await Promise.all(people.map(keeps))).filter(draft => draft !== null).length === 1)
  for (const { page } of people) {
    await page.goto(path)
    await page.getByText('decided').first().waitFor()
  }
})

test('eight tabs with eight runs leave connections for a ninth tab, and a tab resumes when it becomes visible', async () => {
  const runs = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(`Tab ${i}`)))
  const { page: first, context: browser } = await context.visit('/console/')
  const tabs: Page[] = []
  await setHidden(first, true)
  for (const [i, { jobId }] of runs.entries()) {
    const page = await browser.newPage()
    await page.goto(`/console/runs/${jobId}`)
    await page
      .getByRole('heading', { name: `Tab ${i}` })
      .first()
      .waitFor()
    await setHidden(page, true)
    await page.getByText('paused while the page is hidden').waitFor()
    tabs.push(page)
  }
  await setHidden(first, false)
  await first.goto('/console/runs?title=tab')
  await first.getByText('8 runs').waitFor()
  const [seen] = tabs as [Page]
  await setHidden(seen, false)
  await seen.getByRole('button', { name: 'Approve' }).click()
  await seen.getByRole('region', { name: 'Result' }).waitFor()
})

test('changes made before a page starts following events are displayed', async () => {
  const save = (slug: string) =>
    context.workspace.client.post('/v1/pathways', { slug, title: `Saved ${slug}`, definition: approval(slug) })
  await save('before')
  const people = await Promise.all([context.visit('/console/pathways'), context.visit('/console/pathways')])
  const [late, other] = people.map(({ page }) => page) as [Page, Page]
  const { promise: isSaved, resolve: openStream } = Promise.withResolvers<void>()
  await late.route('**/v1/events/stream*', async route => {
    await isSaved
    await route.continue()
  })
  await late.reload()
  for (const page of [late, other]) await page.getByRole('link', { name: 'Saved before' }).waitFor()
  await save('meanwhile')
  await other.getByRole('link', { name: 'Saved meanwhile' }).waitFor()
  openStream()
  await late.getByRole('link', { name: 'Saved meanwhile' }).waitFor()
})

test('a page stays unchanged while the service cannot identify the session', async () => {
  const { page } = await context.visit('/console/')
  await page.clock.install()
  await page.goto('/console/inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  let failures = 0
  page.on('requestfailed', request => void (failures += Number(request.url().endsWith('/v1/session/boot'))))
  await page.route('**/v1/session/boot', route => route.abort())
  await page.clock.fastForward('06:00')
  await setHidden(page, true)
  await setHidden(page, false)
  await waitUntil(async () => failures === 3)
  await page.getByRole('link', { name: 'Chat' }).click()
  await page.getByRole('heading', { name: 'Chat' }).waitFor()
})

test('a page whose files were removed by a deployment reloads automatically', async () => {
  const { page } = await context.visit('/console/')
  let isDeployed = true
  page.on('framenavigated', () => (isDeployed = false))
  await page.route('**/assets/usage-*.js', route => (isDeployed ? route.fulfill({ status: 404 }) : route.continue()))
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
})

test('all tabs in a browser show the workspace of the last sign-in', async () => {
  const { client } = context.workspace
  const first = await ask('Of the first')
  await client.post('/v1/pathways', { title: 'Of the first', slug: 'first', definition: approval('Of the first') })
  const workspace = await context.stack.workspace({ actor: 'user:ann' })
  await startRun(workspace.client, { ...approval('Of the second'), run_title: 'Of the second' })
  const { page, context: browser } = await context.visit('/console/inbox')
  await page.getByRole('link', { name: 'Of the first' }).waitFor()

  const tab = await browser.newPage()
  const answers: Promise<string>[] = []
  tab.on('response', response => {
    if (/\/v1\/(?!events)/.test(response.url())) answers.push(response.text().catch(() => ''))
  })
  await tab.goto(await context.createLink({ workspace }))
  await tab.getByRole('button', { name: 'Sign in with the link' }).click()
  await tab.getByRole('link', { name: 'Inbox' }).click()
  await tab.getByRole('link', { name: 'Of the second' }).waitFor()
  for (const path of PAGES) {
    await tab.goto(`/console/${path}`)
    await tab.locator('main h1').first().waitFor()
  }
  await tab.goto('/console/runs')
  await tab.getByRole('link', { name: 'Of the second' }).waitFor()
  const seen = (await Promise.all(answers)).join('\n')
  for (const name of ['Of the first', context.workspace.id, context.workspace.brain_id, first.jobId])
    expect(seen).not.toContain(name)

  await page.getByRole('link', { name: 'Of the second' }).waitFor()
  expect(await page.getByText('Of the first').count()).toBe(0)
  await tab.goto(`/console/runs/${first.jobId}`)
  await tab.getByText('Job does not exist').waitFor()
})

test('runs are distinguishable without color, in forced-colors mode and without motion', async () => {
  const { jobId } = await ask('Seen without colors?')
  const { page, expectClean } = await context.visit(`/console/runs/${jobId}?view=timeline`, { forcedColors: 'active' })
  const row = page.getByRole('button', { name: 'Seen without colors?' })
  await row.click()
  await page.getByRole('region', { name: 'Selected node' }).waitFor()
  const read = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`)
  expect(await read('.bar', 'backgroundImage')).toContain('gradient')
  for (const chosen of ['.timeline-row[aria-pressed=true]', '.nav-link[data-status=active]', 'label[data-active]'])
    expect(await read(chosen, 'outlineStyle')).toBe('solid')
  await expectClean()
  await page.getByText('Graph', { exact: true }).click()
  await page.getByRole('button', { name: /Seen without colors/, pressed: true }).waitFor()
  expect(await read('.card[data-selected]', 'outlineStyle')).toBe('solid')
  expect(await page.evaluate('document.getAnimations().length')).toBe(0)
  await expectClean()
})

test('the back button closes an opened node, and then returns to the same list', async () => {
  const { jobId } = await ask('Back to the list')
  const { page } = await context.visit('/console/runs?status=waiting&title=back')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('button', { name: /Back to the list human/ }).click()
  const panel = page.getByRole('region', { name: 'Selected node' })
  await panel.waitFor()
  await page.getByText('Table', { exact: true }).click()
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/console/runs/${jobId}`)
  await page.goBack()
  await page.getByText(/^1 run, /).waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('back')
  await page.goForward()
  await page.goForward()
  await panel.waitFor()
})

interface Operations {
  paths: Record<string, Record<string, { operationId: string }>>
}

/** Routes with a body that change nothing. */
const READS = [
  'recollections.search',
  'pathways.validate',
  'pathways.dryRunDefinition',
  'pathways.dryRun',
  'search.query',
  'browse.list',
  'browse.tree',
  'resources.dryRun',
  'resources.queryTree',
]

/** Routes that need no session, because the request contains its own credential. */
const WITHOUT_SESSION = /^(public\.|session\.)/

test('no route that makes changes accepts the cookie alone', async () => {
  const { baseUrl } = context.stack
  const { context: browser } = await context.visit('/console/')
  const cookie = (await browser.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const { body } = await context.workspace.client.get<Operations>('/v1/openapi.json')
  const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId })),
  )
  const unsafe = operations.filter(({ method, operationId }) => method !== 'GET' && !WITHOUT_SESSION.test(operationId))
  expect(unsafe.length).toBeGreaterThan(100)
  const reached: string[] = []
  for (const { path, method, operationId } of unsafe) {
    const address = baseUrl + path.replaceAll(/\{\w+\}/g, 'x')
    const headers = { cookie, origin: 'http://127.0.0.1:1', 'content-type': 'application/json' }
    const { status } = await fetch(address, { method, headers, body: '{}' })
    if (status !== 403) reached.push(operationId)
  }
  expect(reached.toSorted()).toEqual(READS.toSorted())
})

const write = async (title: string, path = '/') =>
  context.workspace.client.post('/v1/artifacts', { title, path, content: title })

async function beginThread(message: string): Promise<string> {
  const { client } = context.workspace
  await client.post('/v1/neurons', { slug: 'lender', title: 'Lender', model: 'builtin:extractive' })
  const { body } = await client.post<{ trace_id: string }>('/v1/neurons/lender/invoke', { message })
  return body.trace_id
}

test.each([
  ['run', /\/v1\/jobs\/[^/]+$/, async (text: string) => `/console/runs/${(await ask(text)).jobId}`],
  ['thread', /\/v1\/traces\/[^/]+$/, async (text: string) => `/console/chat/${await beginThread(text)}`],
  [
    'document tree',
    /\/resource-tree$/,
    async (text: string) => {
      await write(text)
      return '/console/documents'
    },
  ],
])('a %s that cannot be reloaded shows an error, and keeps its previous content', async (_, address, begin) => {
  const text = 'Grant the loan?'
  const { page } = await context.visit(await begin(text))
  const read = page.getByText(text).first()
  await read.waitFor()
  const matches = ({ pathname }: URL) => address.test(pathname)
  const refusal = { code: 'FORBIDDEN', message: 'The service is closed for an hour' }
  await page.route(matches, route => route.fulfill({ status: 403, json: refusal }))
  await Promise.all([ask('Something else?'), write('Something else')])
  const failure = page.getByRole('alert').filter({ hasText: refusal.message })
  await failure.waitFor()
  expect(await read.isVisible()).toBe(true)
  await page.unroute(matches)
  await failure.getByRole('button', { name: 'Retry' }).click()
  await failure.waitFor({ state: 'detached' })
})

test('a run with an unreadable definition shows the problem next to its nodes, and its graph appears later', async () => {
  const { jobId } = await ask('Is the definition read?')
  const { page } = await context.visit('/console/')
  const definition = `**/v1/jobs/${jobId}/definition`
  await page.route(definition, route => route.abort())
  await page.goto(`/console/runs/${jobId}`)
  const nodes = page.getByRole('region', { name: 'Nodes' })
  await nodes.getByRole('alert').waitFor({ timeout: 20_000 })
  await nodes.getByText('Is the definition read?').first().waitFor()
  await page.unroute(definition)
  await nodes.getByRole('button', { name: 'Retry' }).click()
  await nodes.getByRole('radio', { name: 'Graph' }).waitFor({ state: 'attached' })
  expect(await nodes.getByRole('alert').count()).toBe(0)
})

test('a tree shows the contents of thirty open folders', async () => {
  const folders = Array.from({ length: 30 }, (_, index) => `drawer-${index + 10}`)
  await Promise.all(folders.map(folder => write(`Letter of ${folder}`, `/drawers/${folder}`)))
  const { page } = await context.visit('/console/documents')
  const tree = page.getByRole('tree')
  for (const folder of ['drawers', ...folders]) await tree.getByText(folder, { exact: true }).click()
  for (const folder of folders) await tree.getByText(`Letter of ${folder}`).waitFor()
})
