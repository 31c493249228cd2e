import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/** A payment service: one payment for each `Idempotency-Key`. */
const [port] = process.argv.slice(2)
const payments = new Map()

createServer((request, response) => {
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  handle(request).then(
    ([status, body]) => send(status, body),
    error => send(400, { message: error.message }),
  )
}).listen(Number(port), '127.0.0.1')

async function handle(request) {
  if (request.url === '/health') return [200, { status: 'ok' }]
  if (request.url !== '/payments') return [404, { message: 'Only /payments exists' }]
  if (request.method === 'GET') return [200, { payments: [...payments.values()] }]
  const { isNew, payment } = await pay(request)
  return [isNew ? 201 : 200, payment]
}

async function pay(request) {
  const key = request.headers['idempotency-key'] ?? randomUUID()
  const order = await json(request)
  const isNew = !payments.has(key)
  if (isNew) payments.set(key, { id: `pay_${randomUUID()}`, idempotency_key: key, ...order })
  return { isNew, payment: payments.get(key) }
}
