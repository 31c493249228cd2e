import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startComponents } from '../../dev/stack/components.ts'

/** Returns what nodes may call in a development stack that has these environment variables. */
async function findAllowed(environment: Record<string, string>) {
  const stateDir = await mkdtemp(join(tmpdir(), 'allow-'))
  const stack = await startComponents({ names: [], stateDir, ports: 'any', environment, docker: false })
  await stack.discard()
  return { allowed: stack.env['OUTBOUND_ALLOW'], sample: `127.0.0.1:${stack.ports.payments}` }
}

describe('the development stack', () => {
  test('only allows calls to its sample endpoint', async () => {
    const { allowed, sample } = await findAllowed({})
    expect(allowed).toBe(sample)
  })

  test('adds its sample endpoint to the allowlist in the environment', async () => {
    const { allowed, sample } = await findAllowed({ OUTBOUND_ALLOW: '10.1.0.0/16:443' })
    expect(allowed).toBe(`10.1.0.0/16:443,${sample}`)
  })
})
