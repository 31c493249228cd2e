import { DEFAULT_PORTS } from '../components/component.ts'
import type { PortName } from '../components/component.ts'
import { isFree, nextFree, portHolder, untilFree } from '../machine/ports.ts'

/** The requested port numbers, or `any` for free ports. */
export type PortWish = Partial<Record<PortName, number>> | 'any'

export interface PortChoice {
  wish: PortWish
  /** The ports chosen at earlier starts. */
  remembered: Record<string, number>
  /** The ports of components that are already running. These ports are kept. */
  ours: ReadonlySet<string>
  /** Whether running processes use the remembered ports. If so, a component that has died gets its old port back. */
  isServing?: boolean | undefined
  log: (message: string) => void
}

/**
 * Chooses a port for each name: the requested, remembered or default port. If another process uses that port, chooses
 * the next free one.
 */
export async function choosePorts(choice: PortChoice): Promise<Record<PortName, number>> {
  const ports = { ...DEFAULT_PORTS }
  const names = Object.keys(DEFAULT_PORTS) as PortName[]
  const usedPorts = new Set(names.filter(name => choice.ours.has(name)).map(name => choice.remembered[name] ?? 0))
  for (const name of names) {
    ports[name] = choice.ours.has(name) ? (choice.remembered[name] ?? 0) : await chooseOne(name, choice, usedPorts)
    usedPorts.add(ports[name])
  }
  return ports
}

async function chooseOne(name: PortName, choice: PortChoice, usedPorts: ReadonlySet<number>): Promise<number> {
  const requested = choice.wish === 'any' ? undefined : choice.wish[name]
  const preferredPort =
    requested ?? choice.remembered[name] ?? (choice.wish === 'any' ? undefined : DEFAULT_PORTS[name])
  if (choice.isServing && preferredPort !== undefined && preferredPort === choice.remembered[name])
    await untilFree(preferredPort)
  const port = await nextFree(preferredPort, usedPorts)
  if (preferredPort !== undefined && port !== preferredPort) {
    const holder = (await isFree(preferredPort)) ? 'another component' : portHolder(preferredPort)
    choice.log(`port ${preferredPort} for ${name} is in use by ${holder}: using ${port}`)
  }
  return port
}

/** Reads the requested ports from environment variables such as `GANGLION_PORT_REDIS=7000`. */
export function portsFromEnvironment(env: Record<string, string | undefined>): Partial<Record<PortName, number>> {
  const wish: Partial<Record<PortName, number>> = {}
  for (const name of Object.keys(DEFAULT_PORTS) as PortName[]) {
    const key = `GANGLION_PORT_${name.toUpperCase().replace('-', '_')}`
    const value = env[key]
    if (!value) continue
    const port = Number(value)
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${key} is not a valid port: ${value}`)
    wish[name] = port
  }
  return wish
}
