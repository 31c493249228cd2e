import { join } from 'node:path'
import { dataFolder, makeFolder } from '../../machine/folders.ts'
import { readOrCreateSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** The folder in which a set of components keeps its state. */
export interface StateDir {
  folder: string
  logs: string
  /** The folder for component data, which the server user can access. */
  data: string
  secrets: Secrets
}

/** Opens a state directory. Creates the directory if it doesn't exist. */
export function openStateDir(folder: string): StateDir {
  makeFolder(folder)
  const logs = makeFolder(join(folder, 'logs'))
  const secrets = readOrCreateSecrets(folder)
  return { folder, logs, secrets, data: makeFolder(dataFolder(folder, secrets.instance)) }
}
