import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { EdgeRuntime } from 'edge-runtime'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { CHECKOUT } from '../../../../dev/machine/folders.ts'
import { run } from '../../../../dev/machine/shell.ts'
import type { TestServer } from '../../../support/stack/http-server.ts'
import { startScenarioServer } from './server.ts'

/**
 * Tests the packed client as users get it: the publishing requirements, its types under an older TypeScript, and one
 * scenario in Node, in a browser and in an edge runtime. CLIENT_PACKAGE is the folder of the built
 * package. CHROMIUM is the path of a browser.
 */

const { CLIENT_PACKAGE = '', CLI_PACKAGE = '', CHROMIUM = '' } = process.env
const BIN = join(CHECKOUT, 'node_modules/.bin')
const OLDER_TYPESCRIPT = join(CHECKOUT, 'client/node_modules/typescript/bin/tsc')

const HELP_RUNS = 15

const EXPECTED = {
  jobId: 'j-1',
  types: ['token', 'token', 'complete'],
  text: 'Grüße',
  jobs: ['j-1', 'j-2', 'j-3'],
  missing: 'NotFoundError',
  left: 'AbortedError',
  requestId: 'r-1',
}

const TYPED = `
import { Ganglion, type JobEvent } from '@ganglion/client'
import { APIError } from '@ganglion/client/errors'
import { verifyWebhook } from '@ganglion/client/webhooks'
const ganglion = new Ganglion({ baseUrl: 'http://x', apiKey: 'k' })
export const list = () => ganglion.jobs.list({ limit: 1 }).toArray()
export const read = (event: JobEvent) => (event.type === 'token' ? event.token : APIError.is(event) && event.code)
// @ts-expect-error a field that jobs do not have
export const none = async () => (await ganglion.jobs.get('j')).nonsense
// @ts-expect-error only tokens have this field
export const wide = (event: JobEvent) => event.token
export { verifyWebhook }
`

/** Packs the package, installs the tarball into a new project, and returns the folder of the project. */
async function installPacked(folder: string): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'ganglion-package-'))
  const packed = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: folder })) as
    { filename: string }[] | Record<string, { filename: string }>
  const [{ filename } = { filename: '' }] = Object.values(packed)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run('npm', ['install', '--no-audit', '--no-fund', `./${filename.split('/').at(-1)}`], { cwd: project })
  return project
}

const IMPORTS = "import { Ganglion, GanglionError } from '@ganglion/client'\nimport { play } from './scenario.js'"

/** The oldest Node version that both packages support. */
const OLDER_NODE = '22'

/** Installs the older Node version from the registry, next to the packages, and returns its binary. */
async function installOlderNode(project: string): Promise<string> {
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `node@${OLDER_NODE}`], { cwd: project })
  return join(project, 'node_modules/node/bin/node')
}

async function inNode(node: string, project: string, { url }: TestServer): Promise<unknown> {
  const options = JSON.stringify({ baseUrl: `${url}/`, apiKey: 'k' })
  const script = `${IMPORTS}\nconsole.log(JSON.stringify(await play(Ganglion, GanglionError, ${options})))`
  writeFileSync(join(project, 'node.js'), script)
  return JSON.parse(await run(node, ['node.js'], { cwd: project }))
}

/**
 * Runs the packed command line in a folder without the repository's packages, and prints how long its help output
 * takes.
 */
async function checkCli(node: string, { url }: TestServer): Promise<void> {
  const project = await installPacked(CLI_PACKAGE)
  const bin = join(project, 'node_modules/.bin/ganglion')
  const { version } = JSON.parse(readFileSync(join(CLI_PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const printed = (await run(node, [bin, '--version'])).trim()
  if (printed !== version) throw new Error(`expected version ${version}, got ${printed}`)
  const env = { GANGLION_URL: url, GANGLION_API_KEY: 'k', HOME: project }
  const jobs = JSON.parse(await run(node, [bin, 'jobs', 'list', '--json'], { env })) as unknown[]
  if (jobs.length !== EXPECTED.jobs.length) throw new Error(`expected ${EXPECTED.jobs.length} jobs, got ${jobs.length}`)
  const times: number[] = []
  for (let i = 0; i < HELP_RUNS; i++) {
    const began = performance.now()
    await run(node, [bin, '--help'], { env })
    times.push(performance.now() - began)
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(HELP_RUNS / 2)] ?? 0
  process.stdout.write(`     ganglion --help: ${Math.round(median)} ms (median of ${HELP_RUNS})\n`)
  rmSync(project, { recursive: true })
}

/** Bundles a script for a platform without modules, which calls `done` with the scenario result. */
async function bundle(project: string, options: string, done: string): Promise<string> {
  const contents = `${IMPORTS}\nplay(Ganglion, GanglionError, ${options}).then(${done}, error => (${done})({ error: String(error), stack: error.stack }))`
  const stdin = { contents, resolveDir: project }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', platform: 'browser', write: false })
  return outputFiles[0]?.text ?? ''
}

async function inBrowser(project: string, { url }: TestServer): Promise<unknown> {
  const script = await bundle(
    project,
    `{ baseUrl: ${JSON.stringify(url)}, publishableKey: 'pk', getToken: () => 'jwt' }`,
    'result => { window.result = result }',
  )
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto('about:blank')
    await page.goto(url)
    await page.addScriptTag({ content: script })
    return await (await page.waitForFunction('window.result')).jsonValue()
  } finally {
    await browser.close()
  }
}

async function atEdge(project: string, { url }: TestServer): Promise<unknown> {
  const script = await bundle(
    project,
    `{ baseUrl: ${JSON.stringify(url)}, apiKey: 'k' }`,
    'result => { globalThis.resolveResult(result) }',
  )
  const runtime = new EdgeRuntime()
  const result = runtime.evaluate<Promise<unknown>>('new Promise(resolve => { globalThis.resolveResult = resolve })')
  runtime.evaluate(script)
  return JSON.parse(JSON.stringify(await result))
}

async function main(): Promise<void> {
  const project = await installPacked(CLIENT_PACKAGE)
  cpSync(join(CHECKOUT, 'test/clients/client/platforms/scenario.js'), join(project, 'scenario.js'))
  const server = await startScenarioServer('<!doctype html><title>client</title>')
  const olderNode = await installOlderNode(project)
  const same = async (result: Promise<unknown>) => {
    const found = await result
    if (!isDeepStrictEqual(found, EXPECTED))
      throw new Error(`expected ${JSON.stringify(EXPECTED)}, got ${JSON.stringify(found)}`)
  }
  const { version } = JSON.parse(
    readFileSync(join(CHECKOUT, 'client/node_modules/typescript/package.json'), 'utf8'),
  ) as { version: string }
  const checks: [name: string, check: () => Promise<unknown>][] = [
    ['publint, client', () => run(join(BIN, 'publint'), ['--strict', CLIENT_PACKAGE])],
    ['publint, command line', () => run(join(BIN, 'publint'), ['--strict', CLI_PACKAGE])],
    ['attw', () => run(join(BIN, 'attw'), ['--pack', CLIENT_PACKAGE, '--profile', 'esm-only'])],
    [`types, TypeScript ${version}`, () => checkTypes(project)],
    [`Node ${process.versions.node}`, () => same(inNode(process.execPath, project, server))],
    [`Node ${OLDER_NODE}`, () => same(inNode(olderNode, project, server))],
    ['Chromium', () => same(inBrowser(project, server))],
    ['edge runtime', () => same(atEdge(project, server))],
    ['command line', () => checkCli(process.execPath, server)],
    [`command line, Node ${OLDER_NODE}`, () => checkCli(olderNode, server)],
  ]
  let failed = 0
  for (const [name, check] of checks) {
    const problem = await check().then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    if (problem) failed += 1
    process.stdout.write(`${problem ? 'FAIL' : 'ok  '} ${name}${problem ? `\n${problem.message}` : ''}\n`)
  }
  await server.close()
  rmSync(project, { recursive: true })
  process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}

function checkTypes(project: string): Promise<string> {
  writeFileSync(join(project, 'typed.ts'), TYPED)
  const options = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom,dom.iterable,dom.asynciterable',
  ]
  return run(process.execPath, [OLDER_TYPESCRIPT, ...options, 'typed.ts'], { cwd: project })
}

await main()
process.exit()
