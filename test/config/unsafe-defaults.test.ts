import { readConfig } from '../../config/config.ts'
import { findUnsafeDefaults } from '../../config/unsafe-defaults.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const KEYS = JSON.stringify({ first: KEY })

const REQUIRED = {
  DATABASE_URL: 'postgres://app:app@postgres/ganglion',
  REDIS_URL: 'redis://redis',
  TEMPORAL_ADDRESS: 'temporal:7233',
  API_KEY_SECRET: 'x'.repeat(32),
}
const SAFE = {
  ...REQUIRED,
  BASE_URL: 'https://ganglion.example.com',
  TRUSTED_PROXIES: '10.0.0.2',
  SECRETS_ENCRYPTION_KEYS: KEYS,
  SECRETS_ENCRYPTION_KEY_ID: 'first',
  EVIDENCE_KEYS: KEYS,
  EVIDENCE_KEY_ID: 'first',
  TEMPORAL_ENCRYPTION_KEYS: KEYS,
  TEMPORAL_ENCRYPTION_KEY_ID: 'first',
}
const findSettings = (env: Record<string, string>) => findUnsafeDefaults(readConfig(env)).map(({ setting }) => setting)

test('a production configuration has no unsafe defaults', () => {
  expect(findSettings(SAFE)).toEqual([])
})

test('every missing key is reported', () => {
  expect(findSettings(REQUIRED)).toEqual(['SECRETS_ENCRYPTION_KEYS', 'EVIDENCE_KEYS', 'TEMPORAL_ENCRYPTION_KEYS'])
})

test.each([
  ['http://ganglion.example.com', ['BASE_URL']],
  ['http://10.0.0.5:8080', ['BASE_URL']],
  ['http://127.0.0.1:8080', []],
  ['http://127.4.5.6', []],
  ['http://[::1]:8080', []],
  ['http://localhost:8080', []],
  ['https://localhost', []],
])('the address %s reports %j', (BASE_URL, expected) => {
  expect(findSettings({ ...SAFE, BASE_URL })).toEqual(expected)
})

test('an https address without trusted proxies is reported', () => {
  expect(findSettings({ ...SAFE, TRUSTED_PROXIES: '' })).toEqual(['TRUSTED_PROXIES'])
})

test('the messages name the setting and contain no values', () => {
  for (const { setting, message } of findUnsafeDefaults(readConfig(REQUIRED))) {
    expect(message).toContain(setting)
    expect(message).not.toContain(REQUIRED.API_KEY_SECRET)
  }
})
