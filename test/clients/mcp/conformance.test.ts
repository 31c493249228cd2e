import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createCallStates } from '../../../api/mcp/protocol/request-state.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import { type AppUnderTest, CONFIG, startApp } from '../../api/app-under-test.ts'
import { KEY, memoryAccess, memoryJobs } from '../../api/services.ts'
import { startHttpServer, type TestServer } from '../../support/stack/http-server.ts'
import { addFixtures } from './fixtures.ts'
import { createFixtureRuns } from './task-fixtures.ts'

/** Runs the official MCP conformance suite against the complete HTTP side, with the required fixtures. */

const SUITE = new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).pathname
const FAILURES = new URL('failures-2025-11-25.yml', import.meta.url).pathname

const SKILL = {
  slug: 'refunds',
  title: 'Refunds',
  description: 'How refunds are decided',
  instructions: 'Up to 50 EUR, refund at once.',
  files: [{ name: 'limits.md', text: 'EUR 50' }],
}

let app: AppUnderTest
let proxy: TestServer
let results: string
beforeAll(async () => {
  const { principal } = await memoryAccess().authenticate({ kind: 'api_key', token: KEY })
  const states = createCallStates(CONFIG.API_KEY_SECRET)(principal)
  const none = async () => ({ data: [], total: 0 })
  const notFound = () => Promise.reject(new NotFound())
  const runs = createFixtureRuns()
  app = await startApp({
    extendMcp: server => addFixtures(server, states, runs),
    jobs: { ...memoryJobs(), ...runs.jobs },
    waitForResult: runs.waitForResult,
    resources: { read: notFound } as never,
    documents: { readText: notFound } as never,
    discovery: { browse: none } as never,
    pathways: { list: none } as never,
    skills: {
      list: async () => ({ data: [SKILL], total: 1 }),
      read: async (_: unknown, slug: string) => (slug === SKILL.slug ? SKILL : notFound()),
    } as never,
    workspaceEvents: {
      subscribe: async () => ({ start: () => undefined, close: () => undefined }),
      readPosition: async () => '0-0',
    },
  })
  proxy = await startKeyProxy(app.url)
  results = await mkdtemp(join(tmpdir(), 'conformance-'))
})
afterAll(async () => {
  await proxy?.close()
  await app?.drain(0)
  if (results) await rm(results, { recursive: true })
})

/** Adds the API key, because the suite sends no credential. */
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
])('the service meets the requirements of revision %s', async (revision, more) => {
  const { code, output } = await runSuite('--requirements', revision, ...more)
  if (code !== 0) throw new Error(output)
})

/** Extension scenarios do not belong to any revision. */
async function listExtensionScenarios(): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [SUITE, 'list', '--server'])
  return [...stdout.matchAll(/- (\S+) \[extension\]/g)].map(([, name = '']) => name)
}

/** The service does not offer skill directories, and the suite does not check task notifications yet. */
const NOT_CHECKED = new Set(['sep-2640-skills-directory', 'tasks-status-notifications'])

async function findFailure(scenario: string): Promise<string[]> {
  const { code, output } = await runSuite('--scenario', scenario, '--force')
  return code === 0 && !output.includes('SKIPPED') ? [] : [`${scenario}\n${output}`]
}

test('the service passes the scenarios of its extensions', async () => {
  const scenarios = (await listExtensionScenarios()).filter(name => !NOT_CHECKED.has(name))
  expect(scenarios).toEqual(expect.arrayContaining(['tasks-lifecycle', 'sep-2640-skills-enumeration']))
  expect((await Promise.all(scenarios.map(findFailure))).flat()).toEqual([])
})
