import type { AptInstall } from '../machine/apt.ts'
import type { Launch } from '../machine/process.ts'
import type { Secrets } from '../stack/secrets.ts'

export type ComponentName = 'postgres' | 'redis' | 'elasticsearch' | 'temporal' | 'speech'
/** Every port that is chosen; `api` is the house's own, `payments` the demo's sample endpoint. */
export type PortName = ComponentName | 'temporal-ui' | 'api' | 'payments'
export type Environment = Record<string, string>

export const DEFAULT_PORTS: Record<PortName, number> = {
  postgres: 54_329,
  redis: 63_799,
  elasticsearch: 9209,
  temporal: 7233,
  'temporal-ui': 8233,
  speech: 8009,
  api: 8080,
  payments: 8089,
}

/** Where a component is to be: on this machine's loopback address, at these ports, with these secrets. */
export interface Place {
  ports: Record<PortName, number>
  secrets: Secrets
  /** Temporal namespaces. */
  namespaces: string[]
}

/** What a native start has to work with. */
export interface NativeContext extends Place {
  /** A folder of the component's own for its data, which another user can enter. */
  data: string
  apt: AptInstall
  log: (message: string) => void
}

/** One real component of the house, and every way to have it. */
export interface Component {
  name: ComponentName
  /** When this variable is in the environment, the component runs elsewhere and is used as it is. */
  urlKey: string
  /** False: the house runs without it, and what needs it says so. */
  required: boolean
  ports: PortName[]
  /** What the rest of the house is told, once the component is at its place. */
  environment(place: Place): Environment
  /** Service of docker-compose.yml. */
  docker: { service: string }
  /** Installs what is missing, once for the machine. Gives what `launch` needs. */
  install(context: NativeContext): Promise<string>
  /** How to start the installed component; prepares its folder first. */
  launch(context: NativeContext, installed: string): Promise<Launch>
  /** Throws while the component does not answer. */
  check(environment: Environment): Promise<void>
  /** Brings a component that answers to what the house needs of it: a database, a namespace. Repeatable. */
  prepare?(environment: Environment, place: Place): Promise<void>
  /** The signal for an orderly end without waiting for clients. */
  stopSignal: NodeJS.Signals
  /** Seconds from start to the first good check; generous, since machines differ. */
  readySeconds: number
}
