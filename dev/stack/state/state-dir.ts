import { join } from 'node:path'
import { dataFolder, makeFolder } from '../../machine/folders.ts'
import { readOrCreateSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** The folder in which one set of components keeps its state. */
export interface StateDir {
  folder: string
  logs: string
  /** Where components keep their data; another user can enter it. */
  data: string
  secrets: Secrets
}

/** Opens a state directory, and makes it the first time. */
export function openStateDir(folder: string): StateDir {
  makeFolder(folder)
  const logs = makeFolder(join(folder, 'logs'))
  const secrets = readOrCreateSecrets(folder)
  return { folder, logs, secrets, data: makeFolder(dataFolder(folder, secrets.instance)) }
}
