import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import type { AppState } from '../../api/routing/state.ts'
import { serveWidget } from '../../api/widget/serve.ts'
import { startHttpServer, type TestServer } from '../support/stack/http-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'ganglion-widget-'))
const file = join(folder, 'widget.js')
let server: TestServer

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}/v1/public/widget.js`, { method, headers })

beforeAll(async () => {
  const app = new Koa<AppState>()
  app.silent = true
  app.use(serveWidget(file) as Koa.Middleware<AppState>)
  const callback = app.callback()
  server = await startHttpServer((request, response) => void callback(request, response))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test('the widget is missing until it is built', async () => {
  expect((await get()).status).toBe(404)
})

test('pages of all sites may load the widget, and ask whether it has changed', async () => {
  writeFileSync(file, 'first()')
  const response = await get({ 'accept-encoding': 'gzip' })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding',
  })
  expect(await response.text()).toBe('first()')
  const etag = response.headers.get('etag') ?? ''
  // Otherwise, Node adds `no-cache`, unlike a browser that revalidates a script.
  const revalidation = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  expect((await get(revalidation)).status).toBe(304)
  const plain = await get({ 'accept-encoding': 'identity' })
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'first()'])
  expect((await get({}, 'HEAD')).status).toBe(200)
  expect((await get({}, 'POST')).status).toBe(404)
})

test('a new build is served without a restart', async () => {
  const etag = (await get()).headers.get('etag') ?? ''
  writeFileSync(file, 'second()')
  utimesSync(file, new Date(), new Date(Date.now() + 5_000))
  const response = await get({ 'if-none-match': etag, 'cache-control': 'max-age=0' })
  expect([response.status, await response.text()]).toEqual([200, 'second()'])
})
