import { renderReleaseNotes } from '../release/notes.ts'
import { lintVersions, writeVersion } from '../release/versions.ts'
import type { Command } from './command.ts'

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

/**
 * `npm run release:version -- 0.2.0`: writes the version to all files that contain it, and dates its heading in the
 * changelog.
 */
export const releaseVersion: Command = ([version = '']) => {
  if (!VERSION.test(version))
    throw new Error(`"${version}" isn't a version. Enter one, for example 0.2.0 or 0.2.0-rc.1.`)
  const changed = writeVersion(version, new Date().toISOString().slice(0, 10))
  process.stdout.write(changed.length > 0 ? changed.map(file => `wrote ${file}\n`).join('') : 'nothing changed\n')
  const problems = lintVersions()
  if (problems !== undefined) process.stdout.write(`\n${problems}\n`)
  return Promise.resolve(problems === undefined ? 0 : 1)
}

/** `npm run release:notes`: prints the release notes of this version. */
export const releaseNotes: Command = async () => {
  process.stdout.write(await renderReleaseNotes())
  return 0
}
