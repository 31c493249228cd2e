import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/** A CRM: `POST /suppliers` adds a supplier once for each `Idempotency-Key`. */
const [port] = process.argv.slice(2)
const suppliers = new Map()

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
  if (request.url !== '/suppliers') return [404, { message: 'Only /suppliers exists' }]
  if (request.method === 'GET') return [200, { suppliers: [...suppliers.values()] }]
  return [201, await add(request)]
}

async function add(request) {
  const key = request.headers['idempotency-key']
  const fields = await json(request)
  if (!suppliers.has(key)) suppliers.set(key, { id: `S-${1001 + suppliers.size}`, ...fields })
  return suppliers.get(key)
}
