import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPaymentsServer } from '../../dev/demo/payments.ts'

const folder = mkdtempSync(join(tmpdir(), 'payments-'))
const file = join(folder, 'payments.jsonl')
let server: Server
let url = ''

beforeAll(async () => {
  server = createPaymentsServer(file)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/payments`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

const order = (body: string, key?: string) =>
  fetch(url, { method: 'POST', body, headers: key ? { 'idempotency-key': key } : {} })

describe('the sample payments endpoint', () => {
  test('accepts one payment per key', async () => {
    const first = await order('{"amount": 5}', 'k1')
    const again = await order('{"amount": 5}', 'k1')
    expect([first.status, again.status]).toEqual([201, 200])
    expect(await again.json()).toEqual(await first.json())
    await order('{"amount": 6}', 'k2')
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
    const listed = (await (await fetch(url)).json()) as { payments: unknown[] }
    expect(listed.payments).toHaveLength(2)
  })

  test('rejects a body that is not JSON', async () => {
    expect((await order('nonsense')).status).toBe(400)
  })
})
