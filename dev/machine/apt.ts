import { existsSync } from 'node:fs'
import { isRoot } from './folders.ts'
import { run, which } from './shell.ts'

export type AptInstall = (packages: string[], why: string) => Promise<void>

/**
 * Creates a function that installs Debian packages. Calls run one at a time, because apt holds a lock. The package
 * lists are fetched only once.
 */
export function createApt(log: (message: string) => void): AptInstall {
  let last: Promise<void> = Promise.resolve()
  let updated = false

  async function install(packages: string[], why: string): Promise<void> {
    if (!which('apt-get') || !existsSync('/etc/debian_version')) {
      throw new Error(`${why} is not installed. Install it or a Docker engine, or set its URL in the environment`)
    }
    if (!isRoot()) throw new Error(`${why} is not installed. Run: sudo apt-get install ${packages.join(' ')}`)
    if (!updated) await run('apt-get', ['-q', 'update'])
    updated = true
    log(`apt-get install ${packages.join(' ')}`)
    await run(
      'apt-get',
      ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', 'install', '--no-install-recommends', ...packages],
      {
        // Run level 1 prevents installed packages from starting their servers.
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
