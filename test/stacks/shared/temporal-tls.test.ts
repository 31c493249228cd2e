import { NativeConnection } from '@temporalio/worker'
import { readEnvironment } from '../../../config/environment.ts'
import { readConfig } from '../../../config/config.ts'
import { openTemporal, readTemporalCredentials } from '../../../services/shared/temporal.ts'
import { type Authority, type Certificate, createAuthority } from '../../support/clients/certificates.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { startStack } from '../../support/stack/stack.ts'
import { startTlsProxy, type TlsProxy } from '../../support/stack/tls-proxy.ts'

/** The real Temporal server behind TLS with client certificates. */

const SERVER = 'temporal.internal'

let authority: Authority
let client: Certificate
let proxy: TlsProxy

beforeAll(async () => {
  authority = await createAuthority('Test CA')
  const server = await authority.issue(SERVER)
  client = await authority.issue('ganglion')
  proxy = await startTlsProxy(readEnvironment()['TEMPORAL_ADDRESS'] ?? '', { ...server, ca: authority.cert })
})
afterAll(() => proxy.close())

const settings = () => ({
  TEMPORAL_ADDRESS: proxy.address,
  TEMPORAL_TLS_CA: authority.cert,
  TEMPORAL_TLS_CERT: client.cert,
  TEMPORAL_TLS_KEY: client.key,
  TEMPORAL_TLS_SERVER_NAME: SERVER,
})

/** Returns the errors that an API and a worker get when they connect with these settings. */
async function connectWith(changed: Record<string, string | undefined>): Promise<string[]> {
  const config = readConfig({ ...readEnvironment(), ...settings(), ...changed })
  const temporal = openTemporal(config)
  const fail = (error: unknown) => explain(error)
  const outcomes = await Promise.all([
    temporal.call(({ connection }) => connection.workflowService.getSystemInfo({})).then(() => 'connected', fail),
    NativeConnection.connect({ address: config.TEMPORAL_ADDRESS, ...readTemporalCredentials(config) }).then(
      connection => connection.close().then(() => 'connected'),
      fail,
    ),
  ])
  await temporal.close()
  return outcomes
}

/** Returns undefined if the time ran out before the outcome was known, as can happen on a busy machine. */
async function connectInTime(changed: Record<string, string | undefined>): Promise<string[] | undefined> {
  const outcomes = await connectWith(changed)
  return outcomes.some(outcome => /deadline/i.test(outcome)) ? undefined : outcomes
}

const explain = (error: unknown): string => (error instanceof Error ? `${error.message}: ${explain(error.cause)}` : '')

test('a run completes with certificates on both sides', async () => {
  const stack = await startStack({ env: settings() })
  try {
    const { client: api } = await stack.workspace()
    const jobId = await startRun(api, pathway([{ id: 'say', type: 'transform', with: { value: 'done' } }]))
    expect(await jobWith(api, jobId)).toMatchObject({ status: 'completed', result: 'done' })
    expect(proxy.clients).toEqual(new Set(['ganglion']))
  } finally {
    await stack.stop()
  }
})

/**
 * Expects the server to reject both clients. The server rejects them after they consider themselves connected, so the
 * errors vary.
 */
async function expectRefused(changed: Record<string, string | undefined>): Promise<void> {
  const [before, accepted] = [proxy.refusals(), new Set(proxy.clients)]
  expect(await connectWith(changed)).toEqual([
    expect.not.stringMatching(/^connected$/),
    expect.not.stringMatching(/^connected$/),
  ])
  expect(proxy.refusals()).toBeGreaterThanOrEqual(before + 2)
  expect(proxy.clients).toEqual(accepted)
}

test('a client without a certificate is rejected', async () => {
  await expectRefused({ TEMPORAL_TLS_CERT: undefined, TEMPORAL_TLS_KEY: undefined })
})

test('a client with a certificate from another authority is rejected', async () => {
  const other = await (await createAuthority('Other CA')).issue('stranger')
  await expectRefused({ TEMPORAL_TLS_CERT: other.cert, TEMPORAL_TLS_KEY: other.key })
})

test('a server with a certificate from another authority, or for another name, is not trusted', async () => {
  const { cert } = await createAuthority('Other CA')
  for (const changed of [{ TEMPORAL_TLS_CA: cert }, { TEMPORAL_TLS_SERVER_NAME: 'other.internal' }])
    expect(await waitUntil(() => connectInTime(changed))).toEqual([
      expect.stringMatching(/certificate/i),
      expect.stringMatching(/certificate/i),
    ])
})
