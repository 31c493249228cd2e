import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { promisify } from 'node:util'
import { DEFAULT_PORTS } from '../../dev/components/component.ts'
import { isFree, nextFree, portHolder } from '../../dev/machine/ports.ts'
import { choosePorts, portsFromEnvironment } from '../../dev/stack/port-choice.ts'
import type { PortWish } from '../../dev/stack/port-choice.ts'

const PORTS = new URL('../../dev/machine/ports.ts', import.meta.url).href

const hold = (port: number): Promise<Server> =>
  new Promise(resolve => {
    const server = createServer()
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
const release = (server: Server): Promise<unknown> => new Promise(resolve => server.close(resolve))

interface Choice {
  wish?: PortWish
  remembered?: Record<string, number>
  ours?: string[]
  isServing?: boolean
}

async function choose(options: Choice) {
  const lines: string[] = []
  const ports = await choosePorts({
    wish: options.wish ?? 'any',
    remembered: options.remembered ?? {},
    ours: new Set(options.ours),
    isServing: options.isServing,
    log: line => lines.push(line),
  })
  return { ports, lines }
}

describe('the choice of ports', () => {
  test('a crashed component gets its port back while other processes are still using the address', async () => {
    const server = await hold(0)
    const usedPort = portOf(server)
    const choosing = choose({ remembered: { postgres: usedPort }, isServing: true })
    setTimeout(() => server.close(), 500)
    const { ports, lines } = await choosing
    expect(ports.postgres).toBe(usedPort)
    expect(lines).toEqual([])
  })

  test('an occupied port is replaced by the next free one, and the message identifies the process that holds it', async () => {
    const server = await hold(0)
    const usedPort = portOf(server)
    const { ports, lines } = await choose({ wish: { redis: usedPort } })
    expect(ports.redis).toBeGreaterThan(usedPort)
    expect(lines.some(line => line.includes(`port ${usedPort} for redis is in use by`))).toBe(true)
    expect(portHolder(usedPort)).toContain(`pid ${process.pid}`)
    await release(server)
    expect(await isFree(usedPort)).toBe(true)
  })

  test('a port chosen by one process is not given to another, even before a server listens on it', async () => {
    const chosen = await nextFree()
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { nextFree } from ${JSON.stringify(PORTS)}; console.log(await nextFree(${chosen}))`,
    ])
    expect(Number(stdout)).toBeGreaterThan(chosen)
    expect(await nextFree(chosen)).toBe(chosen)
  })

  test('a port that one of our components listens on is kept', async () => {
    const server = await hold(0)
    const usedPort = portOf(server)
    const { ports, lines } = await choose({ remembered: { redis: usedPort }, ours: ['redis'] })
    expect(ports.redis).toBe(usedPort)
    expect(lines).toEqual([])
    await release(server)
  })

  test('remembered ports take precedence over defaults, and no port is used twice', async () => {
    const first = await choose({})
    const again = await choose({ remembered: first.ports })
    expect(again.ports).toEqual(first.ports)
    expect(new Set(Object.values(first.ports)).size).toBe(Object.keys(DEFAULT_PORTS).length)
  })

  test('environment variables set ports by name, and invalid values are rejected', () => {
    expect(portsFromEnvironment({ GANGLION_PORT_TEMPORAL_UI: '9000', OTHER: 'x' })).toEqual({ 'temporal-ui': 9000 })
    expect(() => portsFromEnvironment({ GANGLION_PORT_REDIS: 'many' })).toThrow(
      'GANGLION_PORT_REDIS is not a valid port: many',
    )
  })
})
