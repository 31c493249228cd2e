import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createCallStates } from '../../api/mcp/request-state.ts'
import { NotFound } from '../../domain/errors.ts'
import { type AppUnderTest, CONFIG, startApp } from '../api/app-under-test.ts'
import { KEY, memoryAccess } from '../api/services.ts'
import { startHttpServer, type TestServer } from '../support/http-server.ts'
import { addFixtures } from './fixtures.ts'

/** The official conformance suite of MCP against the whole HTTP side, with the fixtures that it asks for. */

const SUITE = new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).pathname
const FAILURES = new URL('failures-2025-11-25.yml', import.meta.url).pathname

let app: AppUnderTest
let proxy: TestServer
let results: string
beforeAll(async () => {
  const { principal } = await memoryAccess().authenticate({ kind: 'api_key', token: KEY })
  const states = createCallStates(CONFIG.API_KEY_SECRET)(principal)
  const none = async () => ({ data: [], total: 0 })
  const notFound = () => Promise.reject(new NotFound())
  app = await startApp({
    extendMcp: server => addFixtures(server, states),
    resources: { read: notFound } as never,
    documents: { readText: notFound } as never,
    discovery: { browse: none } as never,
    pathways: { list: none } as never,
    skills: { list: none, read: notFound } as never,
    workspaceEvents: { subscribe: async () => ({ start: () => undefined, close: () => undefined }) },
  })
  proxy = await startKeyProxy(app.url)
  results = await mkdtemp(join(tmpdir(), 'conformance-'))
})
afterAll(async () => {
  await proxy?.close()
  await app?.drain(0)
  if (results) await rm(results, { recursive: true })
})

/** The suite sends no credential, so this adds the key. */
const startKeyProxy = (target: string) =>
  startHttpServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${KEY}` }
    const forwarded = request(target + (req.url ?? ''), { method: req.method, headers }, response => {
      res.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(res)
    })
    forwarded.on('error', () => res.destroy())
    res.on('close', () => forwarded.destroy())
    req.pipe(forwarded)
  })

async function runSuite(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [SUITE, 'server', '--url', `${proxy.url}/v1/mcp`, ...args], { cwd: results })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, output: output + errors }
}

test.each([
  ['2026-07-28', []],
  ['2025-11-25', ['--expected-failures', FAILURES]],
])('the service passes the requirements of revision %s', async (revision, more) => {
  const { code, output } = await runSuite('--requirements', revision, ...more)
  if (code !== 0) throw new Error(output)
})
