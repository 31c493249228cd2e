import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/**
 * A shop, a warehouse, a carrier and a ledger. The shop fails once before it returns orders. The ledger refuses a day that
 * is closed already.
 */
const [port] = process.argv.slice(2)
const open = { reservations: new Map(), labels: new Map() }
const closedDays = new Set()
const keys = new Map()
let shopFailures = 1

createServer((request, response) => {
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  handle(request).then(
    ([status, body]) => send(status, body),
    error => send(400, { message: error.message }),
  )
}).listen(Number(port), '127.0.0.1')

async function handle(request) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const [, , kind, id] = pathname.split('/')
  if (pathname === '/health') return [200, { status: 'ok' }]
  if (pathname === '/state') return [200, describeState()]
  if (pathname === '/shop/orders') return readOrders()
  if (pathname === '/ledger/days' && request.method === 'POST') return closeDay(await json(request))
  if (!(kind in open)) return [404, { message: 'There is no such address' }]
  if (request.method === 'DELETE') return [200, { id, removed: open[kind].delete(id) }]
  return [201, create(kind, request.headers['idempotency-key'], await json(request))]
}

function readOrders() {
  if (shopFailures-- > 0) return [503, { message: 'The shop restarts' }]
  const orders = [
    { id: 'A-1042', sku: 'DSK-160', amount: 389 },
    { id: 'A-1043', sku: 'CHR-MER', amount: 241.5 },
    { id: 'A-1044', sku: 'LMP-LED', amount: 58.4 },
  ]
  return [200, { orders }]
}

/** A repeated key returns what the first request created. */
function create(kind, key, fields) {
  if (!keys.has(key)) {
    const id = `${kind}-${keys.size + 1}`
    keys.set(key, { id, ...fields })
    open[kind].set(id, fields)
  }
  return keys.get(key)
}

function closeDay({ day, total }) {
  if (closedDays.has(day)) return [409, { message: `The day ${day} is closed already` }]
  closedDays.add(day)
  return [201, { day, total }]
}

function describeState() {
  return {
    reservations: [...open.reservations.keys()],
    labels: [...open.labels.keys()],
    closed_days: [...closedDays],
  }
}
