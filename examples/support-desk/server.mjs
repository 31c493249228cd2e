import { createServer } from 'node:http'

/** A shop: `GET /orders/:order_number` returns an order. */
const [port] = process.argv.slice(2)
const orders = {
  'A-1042': {
    order_number: 'A-1042',
    status: 'shipped',
    summary: 'Your order A-1042 was shipped with Parcel Post and arrives on 4 December.',
  },
  'A-1043': {
    order_number: 'A-1043',
    status: 'packed',
    summary: 'Your order A-1043 is packed and leaves the warehouse tomorrow.',
  },
}

createServer((request, response) => {
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.url === '/health') return send(200, { status: 'ok' })
  const [, number] = /^\/orders\/([^/]+)$/.exec(request.url ?? '') ?? []
  const order = orders[decodeURIComponent(number ?? '')]
  return order ? send(200, order) : send(404, { message: 'There is no such order' })
}).listen(Number(port), '127.0.0.1')
