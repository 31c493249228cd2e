import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'

interface Payment {
  id: string
  received_at: string
  idempotency_key: string | null
  payment: unknown
}

const BODY_LIMIT = 65_536

/**
 * Creates a sample endpoint for pathways. `POST /payments` records a payment (201). If the `Idempotency-Key` was used
 * before, it returns the first payment instead (200). `GET /payments` lists payments. Each new payment is also
 * appended as a line to `file`.
 */
export function createPaymentsServer(file: string): Server {
  const payments: Payment[] = []

  async function order(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = request.headers['idempotency-key']
    const key = typeof header === 'string' ? header : null
    const earlierPayment = key === null ? undefined : payments.find(payment => payment.idempotency_key === key)
    if (earlierPayment) return send(response, 200, earlierPayment)
    const body = await readJson(request)
    const payment = {
      id: `pay_${randomUUID()}`,
      received_at: new Date().toISOString(),
      idempotency_key: key,
      payment: body,
    }
    payments.push(payment)
    appendFileSync(file, `${JSON.stringify(payment)}\n`)
    return send(response, 201, payment)
  }

  return createServer((request, response) => {
    if (request.url !== '/payments') return send(response, 404, { message: 'Use the path /payments' })
    if (request.method === 'GET') return send(response, 200, { payments })
    if (request.method !== 'POST') return send(response, 405, { message: 'Use GET or POST' })
    order(request, response).catch((error: Error) => send(response, 400, { message: error.message }))
  })
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > BODY_LIMIT) throw new Error('The body is too large')
  }
  return JSON.parse(text)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
