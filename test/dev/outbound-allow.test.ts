import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startComponents } from '../../dev/stack/components.ts'

/** What nodes may call in a development stack whose environment has these variables. */
async function findAllowed(environment: Record<string, string>) {
  const stateDir = await mkdtemp(join(tmpdir(), 'allow-'))
  const stack = await startComponents({ names: [], stateDir, ports: 'any', environment, docker: false })
  await stack.discard()
  return { allowed: stack.env['OUTBOUND_ALLOW'], sample: `127.0.0.1:${stack.ports.payments}` }
}

describe('the development stack', () => {
  test('allows calls to its sample endpoint only', async () => {
    const { allowed, sample } = await findAllowed({})
    expect(allowed).toBe(sample)
  })

  test('adds its sample endpoint to what the environment allows', async () => {
    const { allowed, sample } = await findAllowed({ OUTBOUND_ALLOW: '10.1.0.0/16:443' })
    expect(allowed).toBe(`10.1.0.0/16:443,${sample}`)
  })
})
