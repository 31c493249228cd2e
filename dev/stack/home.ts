import { join } from 'node:path'
import { dataFolder, makeFolder } from '../machine/folders.ts'
import { homeSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** The folder in which one set of components keeps its state. */
export interface Home {
  folder: string
  logs: string
  /** Where components keep their data; another user can enter it. */
  data: string
  secrets: Secrets
}

/** Opens a home, and makes it the first time. */
export function openHome(folder: string): Home {
  makeFolder(folder)
  const logs = makeFolder(join(folder, 'logs'))
  const secrets = homeSecrets(folder)
  return { folder, logs, secrets, data: makeFolder(dataFolder(folder, secrets.instance)) }
}
