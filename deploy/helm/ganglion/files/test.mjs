// `helm test`: the API is ready, and a run with one step completes. Creates the workspace helm-test if it is missing.
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const url = process.env.GANGLION_URL
const WORKSPACE = 'helm-test'
const HOUR_MS = 3_600_000
const deadline = AbortSignal.timeout(180_000)

const admin = (...args) => JSON.parse(execFileSync('ganglion-admin', [...args, '--json'], { encoding: 'utf8' }))

async function call(path, options = {}) {
  const response = await fetch(`${url}${path}`, { signal: deadline, ...options })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`)
  return JSON.parse(text)
}

console.log('Health:', JSON.stringify(await call('/v1/health/ready')))

const expires = new Date(Date.now() + HOUR_MS).toISOString()
const keyOptions = ['--name', 'helm test', '--actor', `user:${WORKSPACE}`, '--role', 'admin', '--expires', expires]
const createKey = () => admin('api-key', 'create', '--workspace', WORKSPACE, ...keyOptions).api_key
let key
try {
  key = createKey()
} catch {
  admin('workspace', 'create', '--slug', WORKSPACE, '--name', 'Helm test')
  key = createKey()
}

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const pathway = { schema: 'pathway/1', nodes: [{ id: 'end', type: 'end', output: 'done' }], edges: [] }
const { job_id } = await call('/v1/jobs', { method: 'POST', headers, body: JSON.stringify({ pathway }) })
for (;;) {
  const { status, result } = await call(`/v1/jobs/${job_id}`, { headers })
  if (status === 'failed') throw new Error(`Run ${job_id} failed`)
  if (status === 'completed') {
    console.log(`Run ${job_id} completed with`, JSON.stringify(result))
    break
  }
  await sleep(500, undefined, { signal: deadline })
}
