import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import type { Log } from './log.ts'

/** Used until there is a release: the first commit whose tables and histories all later commits continue. */
const FIRST_VERSION = '0e04c4e5'
const FOLDERS_WITH_PACKAGES = ['', 'client', 'cli']

/**
 * Installs the code of a commit, by default of the last release, with its packages and its workflow bundle. Returns
 * its folder. Each commit is installed once.
 */
export async function installFormerVersion(commit: string | undefined, log: Log): Promise<string> {
  const name = commit ?? (await findLastRelease()) ?? FIRST_VERSION
  const id = (await git('rev-parse', '--verify', `${name}^{commit}`)).trim()
  const folder = join(CHECKOUT, 'build/upgrade', id)
  if (existsSync(folder)) return folder
  log('former version', `installing ${name}`)
  const temporary = `${folder}.new`
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true })
  await git('archive', '--format=tar', `--output=${temporary}.tar`, id)
  await run('tar', ['-xf', `${temporary}.tar`, '-C', temporary])
  rmSync(`${temporary}.tar`)
  await installPackages(temporary)
  await run(process.execPath, ['workflows/bundle.ts'], { cwd: temporary })
  renameSync(temporary, folder)
  return folder
}

/** Returns the last tag before the current commit. */
const findLastRelease = (): Promise<string | undefined> =>
  git('describe', '--tags', '--abbrev=0', 'HEAD^').then(
    tag => tag.trim(),
    () => undefined,
  )

const git = (...args: string[]): Promise<string> => run('git', args, { cwd: CHECKOUT })

/** Links the packages of this checkout if both versions have the same ones. */
async function installPackages(folder: string): Promise<void> {
  const [formerLock, lock] = [folder, CHECKOUT].map(root => readFileSync(join(root, 'package-lock.json'), 'utf8'))
  if (formerLock !== lock) return void (await run('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder }))
  for (const part of FOLDERS_WITH_PACKAGES) {
    const packages = join(CHECKOUT, part, 'node_modules')
    if (existsSync(packages)) await run('cp', ['-al', packages, join(folder, part, 'node_modules')])
  }
}
