import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * The checks of a build system, a deploy endpoint, a receiver of webhooks that verifies their signatures, and the
 * address of a workflow in Microsoft Teams.
 */
const [port, secretFile] = process.argv.slice(2)
const secret = readFileSync(secretFile, 'utf8')
const deployments = new Map()
const events = []
const cards = []

createServer((request, response) => {
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  handle(request).then(
    ([status, body]) => send(status, body),
    error => send(400, { message: error.message }),
  )
}).listen(Number(port), '127.0.0.1')

async function handle(request) {
  const [, kind, id] = (request.url ?? '').split('/')
  if (kind === 'health') return [200, { status: 'ok' }]
  if (kind === 'checks') return [200, { checks: readChecks(id) }]
  if (kind === 'events' && request.method === 'GET') return [200, { events }]
  if (kind === 'teams' && request.method === 'GET') return [200, { cards }]
  const body = await text(request)
  if (kind === 'teams')
    return [202, { shown: cards.push(...JSON.parse(body).attachments.map(({ content }) => content)) }]
  if (kind === 'events') return receive(request.headers, body)
  if (kind === 'deployments') return deploy(request.headers['idempotency-key'], JSON.parse(body))
  return [404, { message: 'There is no such address' }]
}

/** Commits that begin with `bad` fail a check. */
const readChecks = commit => [
  { name: 'unit-tests', passed: true },
  { name: 'licenses', passed: !commit.startsWith('bad') },
]

function deploy(key, { service, version, dry_run }) {
  const changes = [`image ${service}:${version}`, 'migration 0042']
  if (dry_run) return [200, { dry_run, changes }]
  if (!deployments.has(key)) deployments.set(key, { id: `deploy-${deployments.size + 1}`, service, version, changes })
  return [201, deployments.get(key)]
}

/** Accepts a webhook that this secret signed, as Standard Webhooks describes. */
function receive(headers, body) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace(/^[a-z]+_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(signed).digest()
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .map(signature => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
  const isSigned = signatures.some(
    signature => signature.length === expected.length && timingSafeEqual(signature, expected),
  )
  if (!isSigned) return [401, { message: 'The signature does not match' }]
  events.push(JSON.parse(body))
  return [200, { received: true }]
}
