import type { AptInstall } from '../machine/apt.ts'
import type { Launch } from '../machine/process.ts'
import type { Secrets } from '../stack/state/secrets.ts'

export type ComponentName = 'postgres' | 'redis' | 'elasticsearch' | 'temporal' | 'speech' | 'embeddings' | 'extractive'
/** Every port that is chosen; `api` is the port of the API, `payments` of the demo's sample endpoint. */
export type PortName = ComponentName | 'temporal-ui' | 'api' | 'payments'
export type Environment = Record<string, string>

export const DEFAULT_PORTS: Record<PortName, number> = {
  postgres: 54_329,
  redis: 63_799,
  elasticsearch: 9209,
  temporal: 7233,
  'temporal-ui': 8233,
  speech: 8009,
  embeddings: 8010,
  extractive: 8011,
  api: 8080,
  payments: 8089,
}

/** Ports on the loopback address, secrets and namespaces of a component. */
export interface Place {
  ports: Record<PortName, number>
  secrets: Secrets
  /** Temporal namespaces. */
  namespaces: string[]
}

/** Input of a native start. */
export interface NativeContext extends Place {
  /** A folder of the component's own for its data, which another user can enter. */
  data: string
  apt: AptInstall
  log: (message: string) => void
}

/** One component of the stack, and the ways to start it. */
export interface Component {
  name: ComponentName
  /** When this variable is in the environment, the component runs elsewhere and is used as it is. */
  urlKey: string
  /** False: the stack starts without it. */
  required: boolean
  ports: PortName[]
  /** Returns the settings by which other processes find the component. */
  environment(place: Place): Environment
  /** Service of docker-compose.yml. Without one, the component is started natively. */
  docker?: { service: string }
  /** Installs what is missing, once for the machine. Returns the folder that `launch` needs. */
  install(context: NativeContext): Promise<string>
  /** Prepares the folder of the installed component, and returns how to start it. */
  launch(context: NativeContext, installed: string): Promise<Launch>
  /** Throws while the component does not answer. */
  check(environment: Environment): Promise<void>
  /** Creates what the stack needs in a component that answers: a database, a namespace. Idempotent. */
  prepare?(environment: Environment, place: Place): Promise<void>
  /** The signal for an orderly end without waiting for clients. */
  stopSignal: NodeJS.Signals
  /** Seconds from start to the first good check; generous, since machines differ. */
  readySeconds: number
}
