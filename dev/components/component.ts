import type { AptInstall } from '../machine/apt.ts'
import type { Launch } from '../machine/process.ts'
import type { Secrets } from '../stack/state/secrets.ts'

export type ComponentName = 'postgres' | 'redis' | 'elasticsearch' | 'temporal' | 'speech' | 'embeddings' | 'extractive'
/** All configurable ports. `api` is the port of the API, and `payments` is the port of the demo's sample endpoint. */
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

/** The loopback ports, secrets and namespaces that components use. */
export interface Place {
  ports: Record<PortName, number>
  secrets: Secrets
  /** Temporal namespaces. */
  namespaces: string[]
}

/** The input for starting a component natively. */
export interface NativeContext extends Place {
  /** The component's data folder, which the component's own user can access. */
  data: string
  /** Settings of the components that are already running. */
  environment: Environment
  apt: AptInstall
  log: (message: string) => void
}

/** A component of the stack, and how to start it. */
export interface Component {
  name: ComponentName
  /**
   * The environment variable for a component that runs elsewhere. If it is set, nothing is started for the component.
   */
  urlKey: string
  /** If false, the stack also starts without the component. */
  required: boolean
  ports: PortName[]
  /** Components that must be running before this one is started natively. */
  needs?: ComponentName[]
  /** Returns the settings that other processes need to connect to the component. */
  environment(place: Place): Environment
  /** The service in docker-compose.yml. Without one, the component is always started natively. */
  docker?: { service: string }
  /** Installs missing software, once per machine. Returns the folder to pass to `launch`. */
  install(context: NativeContext): Promise<string>
  /** Prepares the component's data folder, and returns the command that starts the component. */
  launch(context: NativeContext, installed: string): Promise<Launch>
  /** Throws if the component doesn't respond. */
  check(environment: Environment): Promise<void>
  /**
   * Creates what the stack needs in the running component, such as a database or a namespace. Can be called
   * repeatedly.
   */
  prepare?(environment: Environment, place: Place): Promise<void>
  /** The signal for an orderly shutdown that doesn't wait for clients. */
  stopSignal: NodeJS.Signals
  /**
   * Maximum number of seconds from the start to the first successful check. Generous, because some machines are slow.
   */
  readySeconds: number
}
