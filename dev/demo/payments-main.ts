import { createPaymentsServer } from './payments.ts'

const server = createPaymentsServer(process.env['PAYMENTS_FILE'] ?? 'payments.jsonl')
server.listen(Number(process.env['PORT']), '127.0.0.1')
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}
