import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConventionalChangelog } from 'conventional-changelog'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import { readVersion } from './versions.ts'

const REPOSITORY = 'https://github.com/ganglion/ganglion'

/**
 * Returns the release notes of this version in Markdown: its section in the changelog, and the features, fixes and
 * breaking changes in the commits since the previous tag. The first release lists no commits.
 */
export async function renderReleaseNotes(): Promise<string> {
  const section = readChangelogSection(readVersion())
  const previous = await findPreviousTag()
  return previous === undefined ? section : `${section}\n${await listCommits(previous)}`
}

/** Returns the changelog text of a version, with absolute links. Throws if the version has no dated section. */
function readChangelogSection(version: string): string {
  const changelog = readFileSync(join(CHECKOUT, 'CHANGELOG.md'), 'utf8')
  const [, section] =
    new RegExp(String.raw`^## ${RegExp.escape(version)} \(\d{4}-\d\d-\d\d\)\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(
      changelog,
    ) ?? []
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no dated section for ${version}. Run npm run release:version -- ${version}.`)
  return section
    .trim()
    .replaceAll(/\]\((?!https?:|#)/g, `](${REPOSITORY}/blob/v${version}/`)
    .concat('\n')
}

/** Returns the latest version tag before the current commit, or undefined if there is none. */
const findPreviousTag = (): Promise<string | undefined> =>
  run('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'], { cwd: CHECKOUT }).then(
    tag => tag.trim(),
    () => undefined,
  )

async function listCommits(previous: string): Promise<string> {
  const changes = new ConventionalChangelog(CHECKOUT)
    .loadPreset('conventionalcommits')
    .repository(REPOSITORY)
    .context({ version: readVersion(), previousTag: previous, currentTag: `v${readVersion()}`, linkCompare: true })
    .commits({ from: previous, to: 'HEAD' })
  let text = ''
  for await (const part of changes.write()) text += part
  return text
}
