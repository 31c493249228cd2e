import { randomUUID } from 'node:crypto'
import type { Ganglion } from '@ganglion/client'
import { Webhook } from 'standardwebhooks'
import { ensure } from './ensure.ts'

const SLUG = 'orders'
const RECEIPT = {
  schema: 'pathway/1' as const,
  nodes: [{ id: 'done', type: 'end' as const, output: { text: 'Order ${input.order}: ${input.amount} EUR' } }],
  edges: [],
}
const ORDER = JSON.stringify({ order: 'A-17', amount: 40 })

/**
 * Starts a run with a signed request, and shows that repeating the request doesn't start another run. Returns the job
 * id.
 */
export async function runTrigger(ganglion: Ganglion, baseUrl: string): Promise<string> {
  await ensure(
    () => ganglion.pathways.get('order-receipt'),
    () => ganglion.pathways.create({ slug: 'order-receipt', title: 'Order receipt', definition: RECEIPT }),
  )
  await ensure(
    () => ganglion.triggers.get(SLUG),
    () =>
      ganglion.triggers.create({
        slug: SLUG,
        title: 'Orders',
        trigger_type: 'webhook',
        webhook: { signature: { scheme: 'standard_webhooks' } },
        target: { type: 'pathway', ref: 'order-receipt' },
      }),
  )
  const { url } = await ganglion.triggers.rotateToken(SLUG)
  const { secret } = await ganglion.triggers.rotateSecret(SLUG)
  const send = createSender(new URL(url, baseUrl), secret ?? '')
  const [first, again] = [await send(), await send()]
  process.stdout.write(`\nTrigger ${SLUG}: sent a signed order and a copy of it\n`)
  process.stdout.write(`  202 job ${first}\n  202 job ${again}${again === first ? ' (the same)' : ''}\n`)
  return first
}

/** Returns a function that sends the same signed request on each call. */
function createSender(url: URL, secret: string): () => Promise<string> {
  const [id, at] = [`msg_${randomUUID()}`, new Date()]
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, ORDER),
  }
  return async () => {
    const response = await fetch(url, { method: 'POST', headers, body: ORDER })
    if (response.status !== 202) throw new Error(`The hook returned ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { job_id: string }).job_id
  }
}
