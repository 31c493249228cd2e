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

test('every setting with a secret can come from a file', () => {
  const names = SETTINGS.filter(name => /(SECRET|SECRETS|_KEYS|API_KEY|TLS_KEY|DATABASE\w*_URL|REDIS_URL)$/.test(name))
  // The keys that check user tokens are public.
  expect(names.filter(name => name !== 'JWT_KEYS')).toEqual(
    SECRET_SETTINGS.filter(name => name !== 'ELASTICSEARCH_URL'),
  )
})

test.each([
  ['as it is', SECRET],
  ['without the line break at its end', `${SECRET}\n`],
  ['without the line break of Windows', `${SECRET}\r\n`],
])('a file gives the value %s', (_, text) => {
  const file = write('secret', text)
  expect(readConfig({ ...REQUIRED, API_KEY_SECRET: undefined, API_KEY_SECRET_FILE: file }).API_KEY_SECRET).toBe(SECRET)
  // Compose passes an empty variable where there is none.
  expect(readConfig({ ...REQUIRED, API_KEY_SECRET: '', API_KEY_SECRET_FILE: file }).API_KEY_SECRET).toBe(SECRET)
})

test('a file may have JSON, and several settings have files', () => {
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
  ['a missing file', { API_KEY_SECRET_FILE: join(folder, 'none') }, "the file can't be read (ENOENT)"],
  ['a folder', { API_KEY_SECRET_FILE: folder }, "the file can't be read (EISDIR)"],
  ['an empty file', { API_KEY_SECRET_FILE: write('empty', '\n') }, 'the file is empty'],
  [
    'a file and a value',
    { API_KEY_SECRET_FILE: write('both', SECRET), API_KEY_SECRET: SECRET },
    'remove it, or remove API_KEY_SECRET: only one of them may be set',
  ],
])('%s is refused once, with the name of the setting', (_, env, message) => {
  expect(() => readConfig({ ...REQUIRED, API_KEY_SECRET: undefined, ...env })).toThrow(
    new Error(`The configuration has problems:\n  API_KEY_SECRET_FILE: ${message}`),
  )
})

test('a value from a file is checked like any other, and not quoted', () => {
  const env = { ...REQUIRED, API_KEY_SECRET: undefined, API_KEY_SECRET_FILE: write('short', 'hunter2') }
  expect(() => readConfig(env)).toThrow(/^The configuration has problems:\n {2}API_KEY_SECRET: (?!.*hunter2).*$/)
})
