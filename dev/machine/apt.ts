import { existsSync } from 'node:fs'
import { isRoot } from './folders.ts'
import { run, which } from './shell.ts'

export type AptInstall = (packages: string[], why: string) => Promise<void>

/** Installs Debian packages, one call after the other (apt holds a lock), with the package lists fetched once. */
export function createApt(log: (message: string) => void): AptInstall {
  let last: Promise<void> = Promise.resolve()
  let updated = false

  async function install(packages: string[], why: string): Promise<void> {
    if (!which('apt-get') || !existsSync('/etc/debian_version')) {
      throw new Error(`${why} is not installed. Install it (or a Docker engine), or give its URL in the environment`)
    }
    if (!isRoot()) throw new Error(`${why} is not installed. Run: sudo apt-get install ${packages.join(' ')}`)
    if (!updated) await run('apt-get', ['-q', 'update'])
    updated = true
    log(`apt-get install ${packages.join(' ')}`)
    await run(
      'apt-get',
      ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', 'install', '--no-install-recommends', ...packages],
      {
        // Run level 1 keeps the packages from starting servers of their own; ours are separate.
        env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      },
    )
  }

  return (packages, why) => {
    const turn = last.then(() => install(packages, why))
    last = turn.catch(() => {})
    return turn
  }
}
