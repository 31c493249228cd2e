import type { Ganglion } from '@ganglion/client'
import { checkFile, writeOwn } from './settings.ts'
import { note, paint } from './terminal.ts'
import { VERSION } from '../version.ts'

/**
 * Requests the service version in the background. Once a day, on a terminal, recommends an update if this
 * command-line tool is older. Returns a function that stops the check. A command never waits for the check.
 */
export function checkVersion(client: Ganglion): () => void {
  const leaving = new AbortController()
  client.health
    .get({ signal: leaving.signal, maxRetries: 0 })
    .then(({ version }) => {
      writeOwn(checkFile(), '')
      if (isNewer(version, VERSION))
        note(paint('dim', `Service version ${version} is newer than this command-line tool (${VERSION}). Update it`))
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
