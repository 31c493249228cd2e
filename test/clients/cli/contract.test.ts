import { spawn } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, type Reply, type SeenRequest, startServer } from '../client/http-server.ts'
import { forEach } from '../../bench/support/for-each.ts'
import { CLI, type CliOutcome, createCli } from '../../support/clients/cli.ts'

const JOBS = Array.from({ length: 400 }, (_, i) => ({
  job_id: `job-${i}`,
  status: 'completed',
  kind: 'pathway',
  title: 'x'.repeat(600),
  created_at: '2026-01-01T00:00:00Z',
}))

const stream = (...events: object[]): Reply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `: open\n\n${events.map((event, i) => `id: ${i + 1}-0\ndata: ${JSON.stringify(event)}\n\n`).join('')}`,
})

const QUESTION = {
  interventionId: 'q-1',
  kind: 'approval',
  title: 'Pay?',
  node_id: 'ask',
  actions: ['approve', 'reject'],
  assignees: [],
  quorum: 1,
  approvals: 0,
  opened_at: '2026-01-01T00:00:00Z',
}

/** The scripted service's reply, which depends on the path. */
function reply({ method, url }: SeenRequest): Reply | 'hang' {
  const path = url.split('?')[0] ?? ''
  if (path === '/v1/health')
    return { body: { status: 'ok', version: '0.1.0', components: {}, workspace: { id: 'w', slug: 'acme' } } }
  if (path === '/v1/jobs') {
    const query = new URL(url, 'http://x').searchParams
    const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)]
    return { body: { jobs: JOBS.slice(offset, offset + limit), total: JOBS.length, limit, offset } }
  }
  if (method === 'POST' && path.endsWith('/execute'))
    return { status: 202, body: { job_id: path.split('/')[3], status: 'pending' } }
  if (path === '/v1/jobs/fails/stream') return stream({ type: 'error', code: 'NODE_FAILED', message: 'no' })
  if (path === '/v1/jobs/works/stream')
    return stream(
      { type: 'node', key: 'a', node_id: 'a', node_type: 'http', status: 'completed', at: 'now' },
      { type: 'complete', result: { paid: true } },
    )
  if (path === '/v1/jobs/asks/stream')
    return stream({ type: 'intervention', change: 'opened', interventionId: 'q-1', at: 'now' })
  if (path === '/v1/jobs/asks/status') return { body: { job_id: 'asks', status: 'waiting', waitingFor: [QUESTION] } }
  if (path === '/v1/interventions/q-1') return { body: { ...QUESTION, job_id: 'asks', status: 'open' } }
  if (path === '/v1/jobs/long/stream' || path === '/v1/jobs/long') return 'hang'
  if (path === '/v1/jobs/none') return refusal(404, 'NOT_FOUND')
  if (path === '/v1/jobs/closed') return refusal(403, 'FORBIDDEN')
  if (path === '/v1/jobs/away') return refusal(503, 'UNAVAILABLE', 0)
  if (path === '/v1/jobs/changed/pause') return refusal(409, 'CONFLICT')
  if (path === '/v1/jobs/broken') return refusal(500, 'INTERNAL')
  return { status: 404, body: { code: 'NOT_FOUND', message: `${path} is unknown` } }
}

let server: Awaited<ReturnType<typeof startServer>>
let cli: ReturnType<typeof createCli>
beforeAll(async () => {
  server = await startServer(reply)
  cli = createCli({ GANGLION_URL: server.url, GANGLION_API_KEY: 'gnl_secret' })
})
afterAll(async () => {
  cli.remove()
  await server.close()
})

const EXITS: [code: number, meaning: string, args: string[]][] = [
  [0, 'done', ['run', 'works', '-i', 'amount=7']],
  [0, 'done with the previous name of --input', ['run', 'works', '--data', '{"amount": 7}']],
  [2, 'duplicate input', ['run', 'works', '--input', '{}', '--data', '{}']],
  [1, 'an error', ['jobs', 'get', 'broken']],
  [2, 'an unknown command', ['jobs', 'nonsense']],
  [2, 'an unknown option', ['jobs', 'list', '--nonsense']],
  [2, 'a value that is not JSON', ['run', 'works', '--input', '{']],
  [4, 'not permitted', ['jobs', 'get', 'closed']],
  [5, 'not found', ['jobs', 'get', 'none']],
  [5, 'a pointer to nothing', ['api', 'GET', '/v1/health', '-q', '/nothing']],
  [6, 'a conflict', ['jobs', 'pause', 'changed']],
  [7, 'a run that waits for a person', ['run', 'asks']],
  [7, 'a question without an answer', ['inbox', 'answer', 'q-1', '--yes']],
  [8, 'a failed run', ['run', 'fails']],
  [8, 'the result of a failed run', ['jobs', 'result', 'fails']],
  [9, 'a run that continues', ['run', 'long', '--timeout', '1']],
  [75, 'an unavailable service', ['jobs', 'get', 'away']],
]

/** Each command runs in its own process. The processes run in parallel. */
const outcomes = new Map<string, CliOutcome>()
beforeAll(() =>
  forEach(EXITS, 4, async ([, meaning, args]) => void outcomes.set(meaning, await cli.run([...args, '--json']))),
)

test.each(EXITS)('exit code %i: %s', (code, meaning) => {
  const outcome = outcomes.get(meaning) as CliOutcome
  expect([outcome.code, outcome.stderr.includes('gnl_secret')]).toEqual([code, false])
  if (code === 0) expect(JSON.parse(outcome.stdout)).toEqual({ paid: true })
  else {
    expect(outcome.stdout).toBe('')
    // Commander reports usage errors as plain text.
    if (code !== 2)
      expect(JSON.parse(outcome.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String) },
      })
  }
})

test('text without quotes where JSON is expected gets a hint about quotes', async () => {
  const { code, stderr } = await cli.run([
    'jobs',
    'fork',
    'fails',
    '--from',
    'pay',
    '--output',
    'url=https://ledger.example',
  ])
  expect(code).toBe(2)
  expect(stderr).toContain(`Text needs its own quotes: '"https://ledger.example"'`)
})

test('a waiting run prints the ids that are needed to continue it', async () => {
  const { stderr } = await cli.run(['run', 'asks'])
  expect(stderr).toContain('ganglion inbox answer q-1')
  expect(stderr).toContain('ganglion jobs follow asks')
})

test('JSON of any size is piped completely, even to a slow reader; a closed pipe is not an error', async () => {
  const { stdout, code } = await cli.run(['jobs', 'list', '--json', '--all'])
  expect([code, (JSON.parse(stdout) as unknown[]).length]).toEqual([0, JOBS.length])
  expect(stdout.length).toBeGreaterThan(200_000)
  const shell = (command: string) =>
    new Promise<string>(resolve => {
      const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
        env: { ...cli.env, NODE: process.execPath, CLI },
      })
      let text = ''
      child.stdout.on('data', part => (text += String(part)))
      child.on('close', exit => resolve(`${text.trim()} ${exit}`))
    })
  expect(await shell('"$NODE" "$CLI" jobs list --json --all | (sleep 0.5; wc -c)')).toBe(
    `${Buffer.byteLength(stdout)} 0`,
  )
  expect(await shell('"$NODE" "$CLI" jobs list --json --all | head -c 10 | wc -c')).toBe('10 0')
  const lines = await cli.run(['jobs', 'list', '--json=lines', '--limit', '3'])
  expect(
    lines.stdout
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { job_id: string }).job_id),
  ).toEqual(['job-0', 'job-1', 'job-2'])
})

test('data goes to stdout and everything else goes to stderr, without colors if colors are disabled', async () => {
  const { stdout, stderr } = await cli.run(['run', 'works', '--debug'], { env: { NO_COLOR: '1' } })
  expect(JSON.parse(stdout)).toEqual({ paid: true })
  expect(stderr).toContain('completed a')
  expect(stderr).toContain('> POST')
  for (const unwanted of ['\u001B', 'gnl_secret']) expect(stdout + stderr).not.toContain(unwanted)
  const quiet = await cli.run(['run', 'works', '--quiet'])
  expect([JSON.parse(quiet.stdout), quiet.stderr]).toEqual([{ paid: true }, ''])
})

test('flags override the environment, then the project, then the profile; a key is only sent to the address it belongs to', async () => {
  const own = createCli()
  const seen = () => server.seen.at(-1)
  const login = await own.run(['login', '--url', `${server.url}/`, '--with-key-stdin', '--brain', 'b-profile'], {
    input: 'gnl_stored\n',
  })
  expect([login.code, login.stdout]).toEqual([0, `Signed in to acme at ${server.url} (profile default)\n`])
  expect(statSync(join(own.folder, 'config/ganglion/keys.yaml')).mode & 0o777).toBe(0o600)
  await own.run(['jobs', 'get', 'none'])
  expect(seen()?.headers).toMatchObject({ authorization: 'Bearer gnl_stored', 'x-brain-id': 'b-profile' })
  const project = join(own.folder, 'project/inner')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, '../ganglion.yaml'), 'brain: b-project\n')
  await own.run(['jobs', 'get', 'none'], { cwd: project })
  expect(seen()?.headers['x-brain-id']).toBe('b-project')
  await own.run(['jobs', 'get', 'none'], { cwd: project, env: { GANGLION_BRAIN: 'b-env' } })
  expect(seen()?.headers['x-brain-id']).toBe('b-env')
  await own.run(['--brain', 'b-flag', 'jobs', 'get', 'none'], { cwd: project, env: { GANGLION_BRAIN: 'b-env' } })
  expect(seen()?.headers['x-brain-id']).toBe('b-flag')
  const sent = server.seen.length
  const elsewhere = await own.run(['jobs', 'list', '--url', server.url.replace('127.0.0.1', 'localhost')])
  expect([elsewhere.code, server.seen.length]).toEqual([4, sent])
  const settings = await own.run(['config', 'get', '--json'], { cwd: project, env: { GANGLION_PROFILE: 'default' } })
  expect(JSON.parse(settings.stdout)).toEqual([
    { name: 'profile', value: 'default', from: 'environment' },
    { name: 'url', value: server.url, from: 'profile' },
    { name: 'brain', value: 'b-project', from: 'project' },
  ])
  writeFileSync(join(project, '../ganglion.yaml'), 'api_key: gnl_x\n')
  expect((await own.run(['jobs', 'list'], { cwd: project })).code).toBe(2)
  expect((await own.run(['config', 'set', 'brain', ''])).code).toBe(0)
  await own.run(['jobs', 'get', 'none'])
  expect(seen()?.headers).not.toHaveProperty('x-brain-id')
  // Another address does not get the key.
  await own.run(['config', 'set', 'url', 'http://127.0.0.1:1'])
  expect((await own.run(['jobs', 'list'])).code).toBe(4)
  await own.run(['login', '--url', server.url, '--with-key-stdin'], { input: 'gnl_stored\n' })
  await own.run(['logout'])
  expect((await own.run(['jobs', 'list'])).code).toBe(4)
  own.remove()
})

test('at a terminal, the CLI reports once a day that the service is newer; elsewhere it does not', async () => {
  const newer = await startServer(({ url }, _, response) => {
    if (url === '/v1/health') return { body: { status: 'ok', version: '9.0.0', components: {} } }
    setTimeout(() => response.writeHead(404, { 'content-type': 'application/json' }).end('{}'), 300)
    return 'hang'
  })
  const own = createCli({ GANGLION_URL: newer.url, GANGLION_API_KEY: 'key' })
  const isTold = async () => {
    const child = spawn('script', ['-qec', '"$NODE" "$CLI" jobs get none', '/dev/null'], {
      env: { ...own.env, NODE: process.execPath, CLI },
    })
    let text = ''
    child.stdout.on('data', part => (text += String(part)))
    await new Promise(resolve => child.on('close', resolve))
    return text.includes('Service version 9.0.0')
  }
  expect((await own.run(['jobs', 'get', 'none'])).stderr).not.toContain('9.0.0')
  expect(await isTold()).toBe(true)
  expect(await isTold()).toBe(false)
  own.remove()
  await newer.close()
})
