import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../config/config.ts'

const secrets = {
  rates: { value: 'Bearer s3cret', hosts: ['api.rates.example', '10.0.0.7:8080'], workspaces: ['acme'] },
}
const read = (SECRETS?: string) =>
  readConfig({
    DATABASE_URL: 'postgres://localhost/x',
    REDIS_URL: 'redis://localhost',
    TEMPORAL_ADDRESS: 'localhost:7233',
    API_KEY_SECRET: 'x'.repeat(32),
    SECRETS,
  }).SECRETS

test('secrets come from JSON or a file, or are not configured', async () => {
  expect(read(JSON.stringify(secrets))).toEqual(secrets)
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets))
  expect(read(join(folder, 'secrets.json'))).toEqual(secrets)
  await rm(folder, { recursive: true })
  expect([read(), read('')]).toEqual([{}, {}])
})

test.each([
  ['invalid JSON', '{"rates": s3cret', 'SECRETS: must be a JSON object'],
  ['a missing file', '/nowhere/s3cret', 'the file cannot be read (ENOENT)'],
  ['a secret for all hosts', JSON.stringify({ rates: { value: 's3cret' } }), 'SECRETS.rates.hosts: '],
  [
    'a host with a scheme',
    JSON.stringify({ rates: { value: 's3cret', hosts: ['https://x'] } }),
    'SECRETS.rates.hosts.0: ',
  ],
  [
    'a value that no header can contain',
    JSON.stringify({ rates: { value: 's3cret\n', hosts: ['x'] } }),
    'SECRETS.rates.value: ',
  ],
])('%s is rejected, and the error does not reveal it', (_, given, said) => {
  const message = (() => {
    try {
      return JSON.stringify(read(given))
    } catch (error) {
      return (error as Error).message
    }
  })()
  expect(message).toContain(said)
  expect(message).not.toContain('s3cret')
})
