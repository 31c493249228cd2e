import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { readTemporalCredentials } from '../../services/shared/temporal.ts'
import { type Authority, type Certificate, createAuthority } from '../support/clients/certificates.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  API_KEY_SECRET: 'x'.repeat(32),
}
const read = (env: Record<string, string>) => readConfig({ ...REQUIRED, ...env })

let authority: Authority
let client: Certificate

beforeAll(async () => {
  authority = await createAuthority('Test CA')
  client = await authority.issue('client')
})

test('TLS is off unless it is enabled explicitly or implied by a setting', () => {
  expect(readTemporalCredentials(read({}))).toEqual({ tls: false })
  expect(readTemporalCredentials(read({ TEMPORAL_TLS: 'true' }))).toEqual({ tls: {} })
  expect(readTemporalCredentials(read({ TEMPORAL_API_KEY: 'k' }))).toEqual({ tls: {}, apiKey: 'k' })
  expect(readTemporalCredentials(read({ TEMPORAL_TLS_CA: authority.cert }))).toEqual({
    tls: { serverRootCACertificate: Buffer.from(authority.cert) },
  })
})

test('certificates and keys are given as PEM text or PEM files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'))
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(cert, client.cert), writeFile(key, client.key)])
  const name = { TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' }
  const clientCertPair = { crt: Buffer.from(client.cert), key: Buffer.from(client.key) }
  for (const [crt, secret] of [
    [client.cert, client.key],
    [cert, key],
  ] as const)
    expect(readTemporalCredentials(read({ ...name, TEMPORAL_TLS_CERT: crt, TEMPORAL_TLS_KEY: secret })).tls).toEqual({
      serverNameOverride: 'temporal.internal',
      clientCertPair,
    })
  await rm(folder, { recursive: true })
})

test('errors name invalid settings, but do not show their values', async () => {
  const other = await authority.issue('other')
  const wrong: [Record<string, string>, string][] = [
    [{ TEMPORAL_TLS_CA: '/nowhere/ca.pem' }, 'TEMPORAL_TLS_CA: must be a certificate in PEM'],
    [{ TEMPORAL_TLS_CERT: client.cert }, 'TEMPORAL_TLS_KEY: is required with TEMPORAL_TLS_CERT'],
    [{ TEMPORAL_TLS_KEY: client.key }, 'TEMPORAL_TLS_CERT: is required with TEMPORAL_TLS_KEY'],
    [{ TEMPORAL_TLS_CERT: client.key, TEMPORAL_TLS_KEY: client.cert }, 'TEMPORAL_TLS_CERT: must be a certificate'],
    [{ TEMPORAL_TLS_CERT: client.cert, TEMPORAL_TLS_KEY: other.key }, 'TEMPORAL_TLS_KEY: must be the private key for'],
  ]
  for (const [env, problem] of wrong) {
    expect(() => read(env)).toThrow(problem)
    expect(() => read(env)).not.toThrow(/BEGIN/)
  }
})
