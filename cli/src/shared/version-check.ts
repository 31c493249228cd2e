import type { Ganglion } from '@ganglion/client'
import { checkFile, writeOwn } from './settings.ts'
import { note, paint } from './terminal.ts'
import { VERSION } from '../version.ts'

/**
 * Asks the service for its version beside the command, and tells a person at a terminal once a day when this command is
 * older. Returns a function that ends it: a command never waits for it.
 */
export function checkVersion(client: Ganglion): () => void {
  const leaving = new AbortController()
  client.health
    .get({ signal: leaving.signal, maxRetries: 0 })
    .then(({ version }) => {
      writeOwn(checkFile(), '')
      if (isNewer(version, VERSION))
        note(paint('dim', `The service has version ${version}, this command ${VERSION}: an update is due`))
    })
    .catch(() => undefined)
  return () => leaving.abort()
}

const parseVersion = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number)

function isNewer(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(than)]
  const at = a.findIndex((part, i) => part !== b[i])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}
