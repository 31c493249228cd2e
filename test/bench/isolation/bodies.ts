import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { APIError } from '@ganglion/client'
import { encodeForm } from '../../support/documents/documents.ts'
import { pathway } from '../../support/runs/runs.ts'
import type { Attack } from './attack.ts'
import { readDocument } from './read-document.ts'
import { repeat } from './repeat.ts'

const MB = 1_000_000
const UPLOADS = 5
const DOCUMENTS = 6
const CALLERS = 4

/** Uploads that never finish. Each upload that times out is started again. */
export const heldUploads: Attack = {
  name: '5 uploads held at the last byte',
  async begin({ stack, attacker }) {
    const { hostname, port } = new URL(stack.baseUrl)
    const head = (size: number) =>
      `POST /v1/assets/ingest HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${attacker.api_key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${size + 1}\r\n\r\n`
    const body = Buffer.alloc(50 * MB, ' ')
    const open = new Set<Socket>()
    let isOver = false
    const hold = () => {
      const socket = connect(Number(port), hostname, () => socket.write(head(body.length)))
      open.add(socket)
      socket.write(body)
      socket.on('error', () => undefined).on('data', () => socket.destroy())
      socket.on('close', () => {
        open.delete(socket)
        if (!isOver) setTimeout(hold, 500)
      })
    }
    for (let i = 0; i < UPLOADS; i++) hold()
    await sleep(3_000)
    return async () => {
      isOver = true
      for (const socket of open) socket.destroy()
    }
  },
}

/** Slow documents of 13 MB, six at a time. */
export const slowDocuments: Attack = {
  name: '6 slow documents',
  async begin({ ganglion }) {
    let count = 100_000
    const html = `<!-- ${count} --><table>${'<tr><td>x'.repeat(1_600_000)}`
    // The body is built once, so that building it does not affect the measurement.
    const { raw, type } = await encodeForm({ file: { bytes: html, name: 'x.html', type: 'text/html' } })
    const body = Buffer.from(raw)
    const stop = repeat(DOCUMENTS, async () => {
      body.write(String(count++), body.indexOf('<!-- ') + '<!-- '.length)
      // The total bytes of uploads in progress are limited.
      await readDocument(ganglion, Buffer.from(body), { headers: { 'content-type': type } }).catch(async error => {
        if (!APIError.is(error, 'UNAVAILABLE')) throw error
        await sleep(1_000)
      })
    })
    await sleep(3_000)
    return stop
  },
}

/** Inputs that are expensive to validate. */
export const costlySchema: Attack = {
  name: 'costly JSON Schemas',
  async begin({ ganglion }) {
    const anyOf = Array.from({ length: 380 }, (_, i) => ({ type: 'object', required: [`k${i}`] }))
    const definition = {
      ...pathway([{ id: 'a', type: 'transform', with: { value: 1 } }]),
      input: {
        type: 'object',
        properties: { list: { type: 'array', items: { anyOf: [...anyOf, { type: 'object' }] } } },
      },
    }
    await ganglion.pathways.create({ title: 'Costly', slug: 'costly', definition } as never)
    const input = { list: Array.from({ length: 100_000 }, () => ({})) }
    return repeat(CALLERS, () => ganglion.pathways.execute('costly', { input }))
  },
}

/** Expressions that use up the whole thread budget. */
export const costlyExpressions: Attack = {
  name: 'costly expressions',
  async begin({ ganglion }) {
    const expression = 'l.map(x, l.map(y, x + y)).size()'
    const body = { arguments: { expression, variables: { l: Array.from({ length: 900 }, (_, i) => i) } } }
    return repeat(CALLERS, () => ganglion.tools.call('calculate', body))
  },
}
