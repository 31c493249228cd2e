import { useConsole } from '../support/clients/console.ts'

const context = useConsole()

const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

test('the page is sent with its policy, is not cached, and is served at each browser address', async () => {
  const { baseUrl } = context.stack
  for (const path of ['/console', '/console/', '/console/runs/some-run']) {
    const response = await fetch(baseUrl + path, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toBe(POLICY)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toContain('<div id="root">')
  }
})

test('assets are cached forever, and a missing asset does not return a page', async () => {
  const { baseUrl } = context.stack
  const html = await (await fetch(`${baseUrl}/console/`, { headers: { accept: 'text/html' } })).text()
  const [asset = ''] = /\/console\/assets\/[\w.-]+\.js/.exec(html) ?? []
  const response = await fetch(baseUrl + asset)
  expect(response.headers.get('content-type')).toContain('text/javascript')
  expect(response.headers.get('cache-control')).toContain('immutable')
  for (const path of ['/console/assets/gone.js', '/console/assets/..%2F..%2Fpackage.json', '/console/assets/../../x'])
    expect((await fetch(baseUrl + path)).status).toBe(404)
  expect((await fetch(`${baseUrl}/console/`, { method: 'POST' })).status).toBe(404)
})

test('a sign-in link signs a person in once, and leaves no token in the address', async () => {
  const link = await context.createLink()
  const { page, expectClean } = await context.visitAsStranger(link)
  await page.getByRole('heading', { name: 'Hello ann' }).waitFor()
  expect(page.url()).toBe(`${context.stack.baseUrl}/console/`)
  await expectClean()
  await page.getByRole('button', { name: 'ann' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await page.locator('[data-mantine-color-scheme=dark]').waitFor()
  await page.getByRole('button', { name: 'ann' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(link)
  await page.getByText('already used or expired').waitFor()
  await expectClean()
})

test.each([
  ['light', 320],
  ['dark', 320],
  ['dark', 1280],
] as const)('the overview is free of errors and accessibility violations in %s at %i px', async (scheme, width) => {
  const { page, expectClean } = await context.visit('/console/', { scheme, width })
  await page.getByText('Your tasks', { exact: true }).waitFor()
  if (width === 320) await page.getByRole('button', { name: 'Open navigation' }).click()
  await expectClean()
})
