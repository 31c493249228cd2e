import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { CHECKOUT } from '../../dev/machine/folders.ts'
import { run } from '../../dev/machine/shell.ts'
import { openEngine } from './engine.ts'

/**
 * `npm run test:compose`: starts docker-compose.yml from a folder that contains only this file and .env.example, with
 * the TLS proxy, and runs workflows through the proxy while containers stop and fail. Needs the images: see
 * test/compose/README.md.
 */
const PROJECT = 'ganglion-compose-test'
const SUBNET = '172.31.242.0/24'
const UNTIL_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'ganglion-compose-'))
for (const file of ['docker-compose.yml', '.env.example']) copyFileSync(join(CHECKOUT, file), join(folder, file))
await run('sh', [join(CHECKOUT, 'deploy/generate-env.sh'), folder])
writeFileSync(
  join(folder, '.env'),
  readFileSync(join(folder, '.env'), 'utf8')
    .replace(/^BASE_URL=.*$/m, 'BASE_URL=https://localhost')
    .replace(/^COMPOSE_PROFILES=.*$/m, 'COMPOSE_PROFILES=bundled,temporal-ui,proxy') +
    `NETWORK_SUBNET=${SUBNET}\nTRUSTED_PROXIES=${SUBNET}\nAPI_PORT=18080\nTEMPORAL_UI_PORT=18233\n`,
)
const engine = await openEngine(folder, PROJECT)

const BUNDLED = ['postgres', 'redis', 'elasticsearch', 'temporal', 'temporal-ui', 'embeddings']
let passed = 0
let failed = 0

async function check(title: string, work: () => Promise<string | void>): Promise<void> {
  const began = Date.now()
  try {
    const note = await work()
    passed += 1
    console.log(`ok    ${title}, ${((Date.now() - began) / 1000).toFixed(1)} s${note ? `: ${note}` : ''}`)
  } catch (error) {
    failed += 1
    console.log(`FAIL  ${title}`, error)
  }
}

const environment: Record<string, string> = { GANGLION_URL: 'https://localhost', HOME: folder }
const cli = async (...args: string[]) =>
  run(process.execPath, [join(CHECKOUT, 'cli/bin/ganglion.mjs'), ...args, '--no-input'], {
    cwd: folder,
    env: environment,
  })
let dispatcher: Agent

const request = (path: string, options: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
  fetch(`https://localhost${path}`, {
    dispatcher,
    redirect: 'manual',
    signal: AbortSignal.timeout(UNTIL_MS),
    ...options,
  })

/** Retries until the result is defined. */
async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + UNTIL_MS
  let problem: unknown
  while (Date.now() < deadline) {
    try {
      const value = await read()
      if (value !== undefined) return value
    } catch (error) {
      problem = error
    }
    await sleep(500)
  }
  throw new Error(`${what} did not happen`, { cause: problem })
}

const start = async () =>
  until(
    'the start of a run',
    async () =>
      (JSON.parse(await cli('run', 'hello', '-i', 'name=Ann', '--detach', '--json')) as { job_id: string }).job_id,
  )

const findTask = (job: string) =>
  until('a task', async () => {
    const tasks = JSON.parse(await cli('inbox', 'list', '--json')) as { interventionId: string; job_id: string }[]
    return tasks.find(({ job_id }) => job_id === job)?.interventionId
  })

async function answerAndEnd(job: string): Promise<void> {
  const task = await findTask(job)
  await until('the answer', async () => cli('inbox', 'answer', task, '--approve'))
  await until('the end of the run', async () => {
    const { status } = JSON.parse(await cli('jobs', 'get', job, '--json')) as { status: string }
    return status === 'completed' ? true : undefined
  })
}

async function signIn(): Promise<string> {
  const [, token = ''] = /sign-in#(\S+)/.exec(await engine.logs('welcome')) ?? []
  const response = await request('/v1/session/link', {
    method: 'POST',
    body: JSON.stringify({ token }),
    headers: { 'content-type': 'application/json', origin: 'https://localhost' },
  })
  const cookie = response.headers.get('set-cookie') ?? ''
  if (!response.ok || !/; *secure/i.test(cookie)) throw new Error(`${response.status} ${await response.text()}`)
  const console = await request('/console/')
  if (!(await console.text()).includes('<html')) throw new Error(`The console returned ${console.status}`)
  return `signed in by the link, console ${console.status}`
}

/** Follows a run in one response while a person answers. A proxy that buffers would never show the task. */
async function follow(): Promise<string> {
  const job = await start()
  const response = await request(`/v1/jobs/${job}/stream`, {
    headers: { authorization: `Bearer ${environment['GANGLION_API_KEY']}`, accept: 'text/event-stream' },
  })
  const names: string[] = []
  let chunks = 0
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    chunks += 1
    const events = [...chunk.matchAll(/^data: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as { type: string; change?: string },
    )
    names.push(...events.map(({ type }) => type))
    if (events.some(({ change }) => change === 'opened')) await cli('inbox', 'answer', await findTask(job), '--approve')
    if (names.includes('complete')) break
  }
  return `${names.length} events in ${chunks} chunks: ${names.join(' ')}`
}

try {
  await check('all services start', () => engine.up())
  const root = await engine.exec('proxy', 'cat', '/data/caddy/pki/authorities/local/root.crt')
  writeFileSync(join(folder, 'root.crt'), root)
  environment['NODE_EXTRA_CA_CERTS'] = join(folder, 'root.crt')
  dispatcher = new Agent({ connect: { ca: root } })
  await check('the console opens with the link from `welcome`', signIn)
  await check('HTTP is redirected to HTTPS', async () => {
    const { status, headers } = await fetch('http://localhost/console/', { redirect: 'manual' })
    if (status !== 308 || headers.get('location') !== 'https://localhost/console/') throw new Error(String(status))
  })
  const created = await engine.exec(
    'api',
    'ganglion-admin',
    'api-key',
    'create',
    '--workspace',
    'acme',
    '--name',
    'test',
    '--actor',
    'user:owner',
    '--role',
    'owner',
    '--json',
  )
  environment['GANGLION_API_KEY'] = (JSON.parse(created) as { api_key: string }).api_key
  mkdirSync(join(folder, '.config'), { recursive: true })
  await cli('init', 'flows')
  await cli('apply', '-f', 'flows')
  await check('a run with an approval streams through the proxy', follow)
  await check('a waiting run survives `down` and `up`', async () => {
    const job = await start()
    await findTask(job)
    await engine.down()
    await engine.up()
    await answerAndEnd(job)
  })
  for (const service of [...BUNDLED, 'api', 'worker', 'proxy'])
    await check(`a waiting run survives SIGKILL of ${service}`, async () => {
      const job = await start()
      await findTask(job)
      await engine.kill(service)
      await answerAndEnd(job)
    })
  await check('six runs end with three workers', async () => {
    await engine.up({ worker: 3 })
    const jobs: string[] = []
    while (jobs.length < 6) jobs.push(await start())
    for (const job of jobs) await answerAndEnd(job)
    return engine.exec(
      'postgres',
      'sh',
      '-c',
      `PGPASSWORD=$POSTGRES_PASSWORD psql -h 127.0.0.1 -U postgres -Atc "select 'connections: ' || count(*) from pg_stat_activity where datname is not null"`,
    )
  })
  console.log(await engine.memory())
} catch (error) {
  failed += 1
  console.log(error)
} finally {
  if (!process.env['KEEP']) {
    await engine.down({ volumes: true }).catch((error: unknown) => console.log(String(error)))
    rmSync(folder, { recursive: true, force: true })
  } else console.log(`kept ${folder}`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
