import { randomBytes } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import { verifyWebhook, WebhookSignatureError } from '@ganglion/client/webhooks'

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

function sign(secret: string, body: string, at = new Date()) {
  const id = 'msg_1'
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Signer(secret).sign(id, at, body),
  }
}

test('a delivery is accepted only with the right secret, unchanged and in time', async () => {
  const [secret, other] = [newSecret(), newSecret()]
  const body = JSON.stringify({ id: 'e', type: 'job.completed', at: 'now', job: { id: 'j', title: 'Grüße' } })
  const headers = sign(secret, body)
  expect(await verifyWebhook({ secret, headers, body })).toEqual(JSON.parse(body))
  expect(
    await verifyWebhook({ secret: [other, secret], headers: new Headers(headers), body: Buffer.from(body) }),
  ).toEqual(JSON.parse(body))
  const both = {
    ...headers,
    'webhook-signature': `${sign(other, body)['webhook-signature']} ${headers['webhook-signature']}`,
  }
  expect(await verifyWebhook({ secret, headers: both, body })).toEqual(JSON.parse(body))
  const old = sign(secret, body, new Date(Date.now() - 600_000))
  const { 'webhook-id': _, ...withoutId } = headers
  for (const bad of [
    { secret: other, headers, body },
    { secret, headers, body: `${body} ` },
    { secret, headers: old, body },
    { secret, headers: withoutId, body },
    { secret, headers: { ...headers, 'webhook-signature': 'v1,%%%' }, body },
  ])
    await expect(verifyWebhook(bad)).rejects.toThrow(WebhookSignatureError)
  expect(await verifyWebhook({ secret, headers: old, body, tolerance: 3_600 })).toEqual(JSON.parse(body))
})
