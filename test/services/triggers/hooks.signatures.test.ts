import { createHmac, randomBytes } from 'node:crypto'
import { sign } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { signatureSettings } from '../../../domain/triggers/hooks/signature.ts'
import { findScheme } from '../../../services/triggers/hooks/schemes/index.ts'
import { findDeliveryKey, verifySignature } from '../../../services/triggers/hooks/verify-signature.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const SECONDS = NOW.getTime() / 1_000
const BODY = '{"id":"evt_1","amount":120,"note":"Zoë"}'

type Headers = Record<string, string>

function verify(settings: object, headers: Headers, { body = BODY, secrets = [SECRET], now = NOW } = {}) {
  const parsed = signatureSettings.parse(settings)
  const request = { headers, query: {}, body: Buffer.from(body) }
  const verified = verifySignature(request, parsed, { secrets, now })
  return findDeliveryKey(request, parsed, { body: JSON.parse(body), ...verified })
}

const SECRET = 'a secret of the sender'
const STANDARD_SECRET = `whsec_${randomBytes(32).toString('base64')}`

function signStandard(id: string, at: Date, body = BODY, secret = STANDARD_SECRET): Headers {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

describe("Standard Webhooks, signed by the specification's library", () => {
  const settings = { scheme: 'standard_webhooks' }
  const secrets = [STANDARD_SECRET]

  test('accepts a signed request, also with several signatures, and returns the delivery id', () => {
    const headers = signStandard('msg_1', NOW)
    expect(verify(settings, headers, { secrets })).toBe('msg_1')
    const several = { ...headers, 'webhook-signature': `v1a,AAAA v1,AAAA ${headers['webhook-signature']}` }
    expect(verify(settings, several, { secrets })).toBe('msg_1')
    expect(verify(settings, headers, { secrets: [`whsec_${randomBytes(32).toString('base64')}`, ...secrets] })).toBe(
      'msg_1',
    )
  })

  test('accepts headers with the svix prefix', () => {
    const headers = Object.fromEntries(
      Object.entries(signStandard('msg_1', NOW)).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
    )
    expect(verify(settings, headers, { secrets })).toBe('msg_1')
    expect(() => verify(settings, { ...headers, 'svix-id': 'msg_2' }, { secrets })).toThrow(
      'The signature in svix-signature does not match',
    )
  })

  test.each(['v1,AAAA, GOOD', 'GOOD, v1,AAAA', 'GOOD v1,AAAA', 'v1a,AAAA,GOOD'])(
    'accepts any valid signature in a header: %s',
    value => {
      const headers = signStandard('msg_1', NOW)
      const signature = value.replace('GOOD', headers['webhook-signature'] ?? '')
      expect(verify(settings, { ...headers, 'webhook-signature': signature }, { secrets })).toBe('msg_1')
    },
  )

  test('rejects another body, id, time, secret or version, and the error contains the header name', () => {
    const headers = signStandard('msg_1', NOW)
    const refused = /^The signature in webhook-signature does not match/
    expect(() => verify(settings, headers, { secrets, body: BODY.replace('120', '121') })).toThrow(refused)
    expect(() => verify(settings, { ...headers, 'webhook-id': 'msg_2' }, { secrets })).toThrow(refused)
    expect(() => verify(settings, { ...headers, 'webhook-timestamp': String(SECONDS + 1) }, { secrets })).toThrow(
      refused,
    )
    expect(() => verify(settings, headers, { secrets: [`whsec_${randomBytes(32).toString('base64')}`] })).toThrow(
      refused,
    )
    const version = headers['webhook-signature']?.replace('v1,', 'v2,') ?? ''
    expect(() => verify(settings, { ...headers, 'webhook-signature': version }, { secrets })).toThrow(refused)
    const { 'webhook-id': _id, ...missing } = headers
    expect(() => verify(settings, missing, { secrets })).toThrow('The header webhook-id is missing')
  })

  test('rejects signatures that are too far in the past or the future', () => {
    const at = (seconds: number) => signStandard('msg_1', new Date(NOW.getTime() + seconds * 1_000))
    expect(verify(settings, at(-300), { secrets })).toBe('msg_1')
    expect(() => verify(settings, at(-301), { secrets })).toThrow(
      'The time in webhook-timestamp is 301 seconds in the past; the maximum is 300 seconds',
    )
    expect(() => verify(settings, at(301), { secrets })).toThrow('301 seconds in the future')
    expect(verify({ ...settings, tolerance_seconds: 600 }, at(-600), { secrets })).toBe('msg_1')
  })
})

describe('GitHub', () => {
  const settings = { scheme: 'github' }

  test('accepts the example from its documentation', () => {
    const headers = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    }
    const request = { headers, query: {}, body: Buffer.from('Hello, World!') }
    const secrets = ["It's a Secret to Everybody"]
    const parsed = signatureSettings.parse(settings)
    const verified = verifySignature(request, parsed, { secrets, now: NOW })
    expect(verified.signed).toBeDefined()
    expect(findDeliveryKey(request, parsed, { body: 'Hello, World!', ...verified })).toMatch(/^sha256:.{43}$/)
  })

  test('accepts signatures created by its library, but no SHA-1 signature or signature without its prefix', async () => {
    const signature = await sign(SECRET, BODY)
    const copies = ['one', 'two'].map(id =>
      verify(settings, { 'x-hub-signature-256': signature, 'x-github-delivery': id }),
    )
    expect(copies).toEqual([expect.stringMatching(/^sha256:.{43}$/), copies[0]])
    expect(() => verify(settings, { 'x-hub-signature-256': signature.slice('sha256='.length) })).toThrow(
      'does not match',
    )
    expect(() => verify(settings, { 'x-hub-signature-256': signature }, { body: '{}' })).toThrow('does not match')
    const sha1 = createHmac('sha1', SECRET).update(BODY).digest('hex')
    expect(() => verify(settings, { 'x-hub-signature': `sha1=${sha1}` })).toThrow('x-hub-signature-256 is missing')
  })
})

describe('Stripe', () => {
  const settings = { scheme: 'stripe' }
  /** Created by `stripe.webhooks.generateTestHeaderString` of version 23.1.0. */
  const body = '{"id":"evt_1NG8Du2eZvKYlo2CUI79vXWy","object":"event","type":"charge.succeeded"}'
  const mac = 'ea0a8c6df020a098fd57a17f7b76d3bb047829a08e9b0b1bfe25c016a3f34c61'
  const given = { body, secrets: ['whsec_test_secret'], now: new Date(1_700_000_010_000) }

  test('accepts signatures created by its library, and returns the event id', () => {
    const id = 'evt_1NG8Du2eZvKYlo2CUI79vXWy'
    expect(verify(settings, { 'stripe-signature': `t=1700000000,v1=${mac}` }, given)).toBe(id)
    expect(verify(settings, { 'stripe-signature': `t=1700000000,v1=00,v1=${mac},v0=11` }, given)).toBe(id)
  })

  test('rejects other schemes, times and texts', () => {
    const refusal =
      (signature: string, more = {}) =>
      () =>
        verify(settings, { 'stripe-signature': signature }, { ...given, ...more })
    expect(refusal(`t=1700000000,v0=${mac}`)).toThrow('does not match')
    expect(refusal(`t=1700000001,v1=${mac}`)).toThrow('does not match')
    expect(refusal(`v1=${mac}`)).toThrow('The time in stripe-signature must be in Unix seconds')
    expect(refusal('nonsense')).toThrow('must be in Unix seconds')
    expect(refusal(`t=1700000000,v1=${mac}`, { now: new Date(1_700_000_301_000) })).toThrow('301 seconds in the past')
  })
})

describe('Slack', () => {
  const settings = { scheme: 'slack' }
  /** The example from its documentation. */
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const headers = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  }
  const secrets = ['8f742231b10e8888abcd99yyyzzz85a5']
  const request = { headers, query: {}, body: Buffer.from(body) }
  const parsed = signatureSettings.parse(settings)

  test('accepts the example from its documentation within the time window, and recognizes copies by their signed content', () => {
    const now = new Date(1_531_420_620_000)
    const verified = verifySignature(request, parsed, { secrets, now })
    const key = findDeliveryKey(request, parsed, { body: {}, ...verified })
    expect(key).toMatch(/^sha256:/)
    expect(findDeliveryKey(request, parsed, { body: { event_id: 'Ev1' }, ...verified })).toBe('Ev1')
    const late = { secrets, now: new Date(1_531_420_919_000) }
    expect(() => verifySignature(request, parsed, late)).toThrow('301 seconds in the past')
  })

  test('answers a challenge and nothing else', () => {
    const { answer } = findScheme({ scheme: 'slack' })
    expect(answer?.({ token: 't', challenge: '3eZbrw1aB', type: 'url_verification' })).toEqual({
      challenge: '3eZbrw1aB',
    })
    expect(answer?.({ type: 'event_callback', challenge: 'x' })).toBeUndefined()
    expect(answer?.('url_verification')).toBeUndefined()
  })
})

describe('plain HMAC', () => {
  test('verifies signatures according to its settings', () => {
    const secret = fc.string({ minLength: 8, maxLength: 50 })
    const algorithm = fc.constantFrom('sha256', 'sha512', 'sha1')
    const encoding = fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const)
    const isTimed = fc.boolean()
    fc.assert(
      fc.property(
        secret,
        algorithm,
        encoding,
        isTimed,
        fc.jsonValue(),
        (secret, algorithm, encoding, isTimed, json) => {
          const body = JSON.stringify(json)
          const content = isTimed ? `v1:7:${SECONDS}:${body}` : `7.${body}`
          const signature = createHmac(algorithm, secret).update(content).digest(encoding)
          const settings = {
            scheme: 'hmac',
            header: 'X-Signature',
            prefix: 'mac=',
            algorithm,
            encoding,
            delivery_id_header: 'X-Id',
            ...(isTimed
              ? { timestamp_header: 'X-Time', content: 'v1:{delivery_id}:{timestamp}:{body}' }
              : { content: '{delivery_id}.{body}' }),
          }
          const headers = { 'x-signature': `mac=${signature}`, 'x-time': String(SECONDS), 'x-id': '7' }
          expect(verify(settings, headers, { body, secrets: [secret] })).toBe('7')
          expect(() => verify(settings, headers, { body, secrets: [`${secret}.`] })).toThrow(
            'x-signature does not match',
          )
          const cut = { ...headers, 'x-signature': `mac=${signature.slice(0, -4)}` }
          expect(() => verify(settings, cut, { body, secrets: [secret] })).toThrow('does not match')
        },
      ),
      { numRuns: 50 },
    )
  })

  test('distinguishes copies from new deliveries only by their signed content', () => {
    const sign = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')
    const plain = { scheme: 'hmac', header: 'x-signature' }
    const headers = { 'x-signature': sign(BODY) }
    const key = verify(plain, headers)
    expect(key).toMatch(/^sha256:.{43}$/)
    expect(verify(plain, { ...headers, 'x-id': 'another' })).toBe(key)
    const settings = { ...plain, delivery_id_header: 'x-id', content: '{delivery_id}.{body}' }
    const [short, long] = ['7', 'x'.repeat(500)].map(id =>
      verify(settings, { 'x-signature': sign(`${id}.${BODY}`), 'x-id': id }),
    )
    expect([short, long]).toEqual(['7', expect.stringMatching(/^sha256:.{43}$/)])
    expect(() => verify(settings, { 'x-signature': sign(`7.${BODY}`), 'x-id': '8' })).toThrow('does not match')
    expect(() => verify(settings, { 'x-signature': sign(`7.${BODY}`) })).toThrow('The header x-id is missing')
    const name = '{body}{timestamp}'
    expect(verify(settings, { 'x-signature': sign(`${name}.${BODY}`), 'x-id': name })).toBe(name)
  })

  test.each([
    ['/content', { content: 'no body' }],
    ['/content', { content: '{body}{body}' }],
    ['/content', { content: '{timestamp}{body}' }],
    ['/content', { content: '{body}', timestamp_header: 'x-time' }],
    ['/content', { delivery_id_header: 'x-id' }],
    ['/content', { content: '{delivery_id}.{body}' }],
    ['/header', { header: 'not a header' }],
    ['/tolerance_seconds', { tolerance_seconds: 4_000 }],
  ])('rejects invalid settings: %s %j', (pointer, wrong) => {
    const { error } = signatureSettings.safeParse({ scheme: 'hmac', header: 'x-signature', ...wrong })
    expect(error?.issues.map(({ path }) => `/${path.join('/')}`)).toEqual([pointer])
  })
})

test('without a signature scheme nothing is checked, and with one nothing is accepted before a secret is set', () => {
  expect(verify({ scheme: 'none' }, {}, { secrets: [] })).toBeUndefined()
  expect(verify({ scheme: 'none', delivery_id_header: 'X-Request' }, { 'x-request': 'r1' }, { secrets: [] })).toBe('r1')
  expect(() => verify({ scheme: 'github' }, { 'x-hub-signature-256': 'sha256=00' }, { secrets: [] })).toThrow(
    'has no signing secret yet',
  )
})

test('random bytes are never a valid signature', () => {
  const schemes = fc.constantFrom('standard_webhooks', 'github', 'stripe', 'slack')
  const text = fc.string({ maxLength: 100 })
  fc.assert(
    fc.property(schemes, text, text, text, (scheme, id, time, signature) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': `v1,${signature}`,
        'x-hub-signature-256': `sha256=${signature}`,
        'stripe-signature': `t=${time},v1=${signature}`,
        'x-slack-request-timestamp': time,
        'x-slack-signature': `v0=${signature}`,
      }
      expect(() => verify({ scheme }, headers, { secrets: [STANDARD_SECRET] })).toThrow()
    }),
  )
})
