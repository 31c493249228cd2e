import { generateKeyPairSync } from 'node:crypto'
import type { WebPushCredentials, WebPushSettings } from '../../../domain/channels/channel.ts'
import { invalidRequestError } from '../../../domain/shared/invalid-request.ts'
import type { ChannelConnector } from '../channel-type.ts'

/**
 * A channel is a key pair. Browsers subscribe with the public key, and push services accept messages only from the owner
 * of the private key (RFC 8292).
 */
export const createWebPushConnector = ({ baseUrl }: { baseUrl?: string }): ChannelConnector<'web_push'> => ({
  connect({ contact }) {
    const { public_key, private_key } = generateKeys()
    const settings: WebPushSettings = { public_key, contact: buildContact(contact, baseUrl) }
    return Promise.resolve({ settings, credentials: { private_key } })
  },

  // With other keys, all browsers would lose their subscriptions.
  replace: ({ settings: { public_key }, credentials }, after) =>
    credentials ? { settings: { ...after.settings, public_key }, credentials } : after,

  present: settings => ({ type: 'web_push', ...settings }),
})

function generateKeys(): Pick<WebPushSettings, 'public_key'> & WebPushCredentials {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' })
  const point = [Buffer.of(UNCOMPRESSED), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return { public_key: Buffer.concat(point).toString('base64url'), private_key: d }
}

/** The first byte of a public key with both coordinates. */
const UNCOMPRESSED = 4

/** Some push services reject requests without a contact, or with one that is not public. */
function buildContact(email: string | undefined, baseUrl = ''): string {
  if (email !== undefined) return `mailto:${email}`
  if (baseUrl.startsWith('https:')) return baseUrl
  throw invalidRequestError([{ pointer: '/contact', message: 'is required, because BASE_URL is not an https URL' }])
}
