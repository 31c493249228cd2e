import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, SETTINGS } from '../../config/config.ts'
import { SECRET_SETTINGS } from '../../config/secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'ganglion-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRET = 'a secret with 32 characters, or more'
const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  API_KEY_SECRET: SECRET,
}

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('every setting that contains a secret can be read from a file', () => {
  const names = SETTINGS.filter(name => /(SECRET|SECRETS|_KEYS|API_KEY|TLS_KEY|DATABASE\w*_URL|REDIS_URL)$/.test(name))
  // The keys that verify user tokens are public, so they are not secret.
  expect(names.filter(name => name !== 'JWT_KEYS').toSorted()).toEqual(
    SECRET_SETTINGS.filter(name => name !== 'ELASTICSEARCH_URL').toSorted(),
  )
})

test.each([
  ['unchanged', SECRET],
  ['without its final line break', `${SECRET}\n`],
  ['without a Windows line break', `${SECRET}\r\n`],
])('a file provides the value %s', (_, text) => {
  const file = write('secret', text)
  expect(readConfig({ ...REQUIRED, API_KEY_SECRET: undefined, API_KEY_SECRET_FILE: file }).API_KEY_SECRET).toBe(SECRET)
  // Compose passes an empty variable for a value that is not set.
  expect(readConfig({ ...REQUIRED, API_KEY_SECRET: '', API_KEY_SECRET_FILE: file }).API_KEY_SECRET).toBe(SECRET)
})

test('a file may contain JSON, and several settings may be read from files', () => {
  const key = Buffer.alloc(32, 1).toString('base64')
  const config = readConfig({
    ...REQUIRED,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: write('database', 'postgres://ann:pw@127.0.0.1/x\n'),
    EVIDENCE_KEYS_FILE: write('keys', JSON.stringify({ '2026': key })),
    EVIDENCE_KEY_ID: '2026',
  })
  expect(config.DATABASE_URL).toBe('postgres://ann:pw@127.0.0.1/x')
  expect(Object.keys(config.EVIDENCE_KEYS ?? {})).toEqual(['2026'])
})

test.each([
  ['a missing file', { API_KEY_SECRET_FILE: join(folder, 'none') }, 'the file cannot be read (ENOENT)'],
  ['a folder', { API_KEY_SECRET_FILE: folder }, 'the file cannot be read (EISDIR)'],
  ['an empty file', { API_KEY_SECRET_FILE: write('empty', '\n') }, 'the file is empty'],
  [
    'a file and a value',
    { API_KEY_SECRET_FILE: write('both', SECRET), API_KEY_SECRET: SECRET },
    'remove this setting or API_KEY_SECRET: only one of them may be set',
  ],
])('%s is rejected once, with the name of the setting in the error', (_, env, message) => {
  expect(() => readConfig({ ...REQUIRED, API_KEY_SECRET: undefined, ...env })).toThrow(
    new Error(`Invalid configuration:\n  API_KEY_SECRET_FILE: ${message}`),
  )
})

test('a value from a file is checked like any other, and is not quoted in errors', () => {
  const env = { ...REQUIRED, API_KEY_SECRET: undefined, API_KEY_SECRET_FILE: write('short', 'hunter2') }
  expect(() => readConfig(env)).toThrow(/^Invalid configuration:\n {2}API_KEY_SECRET: (?!.*hunter2).*$/)
})
