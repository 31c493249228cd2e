import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { SETTINGS } from '../../config/config.ts'
import { nextFree } from '../../dev/machine/ports.ts'
import { type ApiClient, createClient } from '../support/clients/client.ts'
import { ingest } from '../support/documents/documents.ts'
import { asked, askThenEnd, jobWith, pathway, startRun } from '../support/runs/runs.ts'
import { inDatabase, serverUrls } from '../support/stack/database.ts'
import { waitUntil } from '../support/stack/process.ts'
import { buildEnvironment, dropIndices } from '../support/stack/stack.ts'
import { type Container, engine, inspectImage, runOnce, startContainer } from './containers.ts'

/** The containers of one installation. The tests build on each other. */

/** Largest size of the files that the image adds to its base. */
const MAX_BYTES = 450_000_000
/** Paths that the engine itself writes when it starts a container. */
const OF_THE_ENGINE = /^[AC] \/(dev|etc|proc|run|sys|tmp|var)\b/

const suffix = randomBytes(4).toString('hex')
const urls = serverUrls()
const databaseName = `ganglion_image_${suffix}`
let env: Record<string, string>
let baseUrl: string
let workerUrl: string
let api: Container
let worker: Container
let client: ApiClient
let key: string

beforeAll(async () => {
  const database = { url: inDatabase(urls.app, databaseName), adminUrl: inDatabase(urls.admin, databaseName) }
  const everything = await buildEnvironment(database, { env: { HOST: '127.0.0.1' } })
  const isSetting = new Set(SETTINGS.filter(name => !name.startsWith('WORKFLOW_BUNDLE')))
  env = Object.fromEntries(Object.entries(everything).filter(([name]) => isSetting.has(name)))
  baseUrl = env['BASE_URL'] ?? ''
  const port = String(await nextFree())
  workerUrl = `http://127.0.0.1:${port}`
  const { DATABASE_ADMIN_URL: _, ...appEnv } = env
  api = await startContainer(`ganglion-api-${suffix}`, { env: appEnv, memory: '2g' })
  const workerEnv = { ...appEnv, WORKER_HEALTH_PORT: port, WORKER_HEALTH_HOST: '127.0.0.1' }
  const command = ['node', 'activities/worker.ts']
  worker = await startContainer(`ganglion-worker-${suffix}`, { env: workerEnv, memory: '3g' }, ...command)
})
afterAll(async () => {
  await Promise.all([api?.remove(), worker?.remove()])
  await dropIndices(env)
  const server = new Client({ connectionString: inDatabase(urls.admin, 'postgres') })
  await server.connect()
  await server.query(`drop database if exists ${databaseName} with (force)`)
  await server.end()
})

const check = (url: string) => fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
const isReady = (url: string) => async () => (await check(url))?.status === 200

test('has labels, a numeric user, a stop signal and a health check', async () => {
  const { Config, Healthcheck = Config.Healthcheck } = await inspectImage()
  expect(Config).toMatchObject({ User: '1000:1000', StopSignal: 'SIGTERM' })
  expect(Config.Labels).toMatchObject({
    'org.opencontainers.image.title': 'Ganglion',
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    'org.opencontainers.image.revision': 'test',
  })
  expect(Healthcheck?.Test).toEqual(['CMD', 'deploy/healthcheck.sh'])
})

test('contains only files for its processes, which its user cannot change', async () => {
  const list = async (command: string) => (await runOnce({}, 'sh', '-c', command)).trim().split('\n').filter(Boolean)
  expect(Number(await list('du -s --apparent-size --block-size=1 /app | cut -f1'))).toBeLessThan(MAX_BYTES)
  expect(await list('ls node_modules/@temporalio/core-bridge/releases')).toHaveLength(1)
  expect(await list("find /app -name '*.map' -o -name '*.d.ts' -o -name '*.tsx' -o -name openapi.json")).toEqual([])
  expect(await list('find /app -writable')).toEqual([])
  expect(await list('id -u; id -g')).toEqual(['1000', '1000'])
})

test('its processes load compiled modules', async () => {
  const command = 'NODE_DEBUG_NATIVE=COMPILE_CACHE node api/main.ts 2>&1 | grep "reading cache.*file:///app/api/app.ts"'
  expect(await runOnce({}, 'sh', '-c', command)).toContain('success')
})

test('ganglion and ganglion-admin are on the path', async () => {
  expect(await runOnce({}, 'ganglion', '--version')).toMatch(/^\d+\.\d+\.\d+/)
  expect(await runOnce({}, 'ganglion-admin', '--help')).toContain('workspace')
})

test('the API is alive without migrations, and ready after them', async () => {
  await waitUntil(isReady(`${baseUrl}/v1/health/live`), undefined, () => api.logs())
  const before = await check(`${baseUrl}/v1/health/ready`)
  expect(before?.status).toBe(503)
  expect(await before?.json()).toMatchObject({ status: 'down', missing: expect.arrayContaining(['migrations']) })
  expect(await runOnce(env, 'ganglion-admin', 'migrate')).toContain('Migrated:')
  await waitUntil(isReady(`${baseUrl}/v1/health/ready`), undefined, () => api.logs())
  await waitUntil(isReady(`${workerUrl}/ready`), undefined, () => worker.logs())
  await api.exec({}, 'deploy/healthcheck.sh')
  await worker.exec({}, 'deploy/healthcheck.sh')
})

test('a run waits for an approval, which the command line gives', async () => {
  await api.exec({}, 'ganglion-admin', 'workspace', 'create', '--name', 'Image', '--slug', suffix)
  const keyOptions = ['--workspace', suffix, '--name', 'test', '--actor', 'user:ann', '--role', 'admin', '--json']
  const created = JSON.parse(await api.exec({}, 'ganglion-admin', 'api-key', 'create', ...keyOptions)) as {
    api_key: string
  }
  key = created.api_key
  client = createClient(baseUrl, key)
  const jobId = await startRun(client, askThenEnd('done'))
  const [question] = await asked(client, jobId)
  const credentials = { GANGLION_URL: baseUrl, GANGLION_API_KEY: key }
  await worker.exec(credentials, 'ganglion', 'inbox', 'answer', question?.interventionId ?? '', '--approve')
  expect(await jobWith(client, jobId)).toMatchObject({ status: 'completed', result: 'done' })
})

test('a document is read and found', async () => {
  const html = '<html><head><title>Port</title></head><body><p>The harbour opens at nine.</p></body></html>'
  const document = { content_base64: Buffer.from(html).toString('base64'), file_name: 'port.html', source_key: 'port' }
  const { body } = await ingest(client, document)
  expect((await jobWith(client, body.job_id ?? '')).status).toBe('completed')
  const search = async () =>
    JSON.stringify((await client.post('/v1/search', { query: 'When does the port open?' })).body)
  await waitUntil(
    async () => (await search()).includes('harbour'),
    undefined,
    () => worker.logs(),
  )
})

test('SIGTERM ends an open stream, finishes the work, and the processes have written only to /tmp', async () => {
  const jobId = await startRun(client, pathway([{ id: 'pause', type: 'wait', duration: 'PT1H' }]))
  const messages: { comment?: string }[] = []
  const stream = await client.sse(`/v1/jobs/${jobId}/stream`)
  const stopped = api.stop()
  for await (const message of stream) messages.push(message)
  expect(messages.at(-1)?.comment).toBe('closing')
  expect(await stopped).toBe(0)
  expect(await worker.stop()).toBe(0)
  for (const container of [api, worker]) {
    const changes = (await engine('diff', container.name)).trim().split('\n').filter(Boolean)
    expect(changes.filter(change => !OF_THE_ENGINE.test(change))).toEqual([])
    expect(await container.logs()).not.toMatch(/EROFS|EACCES/)
  }
})
