import { randomBytes } from 'node:crypto'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import fc from 'fast-check'
import { createPayloadCodec } from '../../../services/shared/encryption/payload-codec.ts'

const keys = { old: randomBytes(32), new: randomBytes(32) }
const createCodec = (id: 'old' | 'new', known: Partial<typeof keys> = keys) => {
  const codec = createPayloadCodec({ TEMPORAL_ENCRYPTION_KEYS: known, TEMPORAL_ENCRYPTION_KEY_ID: id })
  if (!codec) throw new Error('there is no codec')
  return codec
}
const toPayload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value)
const toValue = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload as Payload)

test('a payload is unchanged after encryption and decryption', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async value => {
      const [encrypted] = await createCodec('new').encode([toPayload(value)])
      const [decrypted] = await createCodec('new').decode([encrypted as Payload])
      expect(toValue(decrypted)).toEqual(toValue(toPayload(value)))
    }),
  )
})

test('an encrypted payload reveals its key id, but nothing about its content, not even repetitions', async () => {
  const [one, other] = await createCodec('new').encode([toPayload('the marker'), toPayload('the marker')])
  expect(Buffer.from(one?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('new')
  expect(Buffer.from(one?.data ?? []).toString('latin1')).not.toContain('marker')
  expect(one?.data).not.toEqual(other?.data)
})

test('payloads encrypted with an earlier key, and unencrypted payloads, can be read', async () => {
  const [encrypted] = await createCodec('old').encode([toPayload({ a: 1 })])
  const plain = toPayload({ b: 2 })
  const read = await createCodec('new').decode([encrypted as Payload, plain])
  expect(read.map(toValue)).toEqual([{ a: 1 }, { b: 2 }])
})

test('a payload with an unknown key, a changed byte or a different key id is rejected', async () => {
  const [encrypted] = await createCodec('old').encode([toPayload('text')])
  const data = Buffer.from(encrypted?.data ?? [])
  await expect(createCodec('new', { new: keys.new }).decode([encrypted as Payload])).rejects.toThrow('key "old"')
  for (const place of [0, 12, 28, data.length - 1]) {
    const changed = Buffer.from(data)
    changed[place] = (changed[place] ?? 0) ^ 1
    await expect(createCodec('old').decode([{ ...encrypted, data: changed }])).rejects.toThrow('authenticate')
  }
  const renamed = { ...encrypted, metadata: { ...encrypted?.metadata, 'encryption-key-id': Buffer.from('new') } }
  await expect(createCodec('new').decode([renamed as Payload])).rejects.toThrow('authenticate')
})

test('without keys there is no codec', () => {
  expect(
    createPayloadCodec({ TEMPORAL_ENCRYPTION_KEYS: undefined, TEMPORAL_ENCRYPTION_KEY_ID: undefined }),
  ).toBeUndefined()
})
