import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'

/** Places that contain the version: files, and a pattern for the text before the version. */
const PLACES: [files: string, before: RegExp][] = [
  ['{,client/,cli/}package.json', /^ {2}"version": "/],
  ['cli/package.json', /"@ganglion\/client": "/],
  ['package-lock.json', /^ {2}"version": "/],
  ['package-lock.json', /"name": "(?:ganglion|@ganglion\/(?:client|cli))",\n {6}"version": "/],
  ['package-lock.json', /"@ganglion\/client": "/],
  ['client/openapi.json', /"title":"Ganglion","version":"/],
  ['{docker-compose.yml,.env.example}', /GANGLION_VERSION(?::-|=)/],
  ['deploy/helm/*/Chart.yaml', /^(?:appVersion|version): ['"]?/],
]

const VERSION = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?`

const CHANGELOG = 'CHANGELOG.md'

interface Mention {
  file: string
  line: number
  version: string
}

/** Returns the version of this checkout: the one in package.json. */
export const readVersion = (folder = CHECKOUT): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/** Reports the places whose version differs from package.json. Returns undefined if there are none. */
export function lintVersions(folder = CHECKOUT): string | undefined {
  const version = readVersion(folder)
  const problems = PLACES.flatMap(([files, before]) => {
    const mentions = listMentions(folder, files, before)
    return mentions.length > 0 || findFiles(folder, files).length === 0
      ? mentions
          .filter(mention => mention.version !== version)
          .map(
            ({ file, line, version: other }) =>
              `${file}:${line}: the version is ${other}, but package.json has ${version}`,
          )
      : [`${files}: no version after ${before.source}`]
  })
  if (
    !new RegExp(String.raw`^## ${RegExp.escape(version)} \((unreleased|\d{4}-\d\d-\d\d)\)$`, 'm').test(
      readFile(folder, CHANGELOG),
    )
  )
    problems.push(`${CHANGELOG}: no heading "## ${version} (unreleased)" or "## ${version} (<date>)"`)
  return problems.join('\n') || undefined
}

/** Writes the version to all places, and dates its heading in the changelog. Returns the changed files. */
export function writeVersion(version: string, date: string, folder = CHECKOUT): string[] {
  const changed = PLACES.flatMap(([files, before]) =>
    findFiles(folder, files).filter(file => {
      const text = readFile(folder, file)
      const replaced = text.replaceAll(pattern(before), (_, prefix: string) => prefix + version)
      if (replaced !== text) writeFileSync(join(folder, file), replaced)
      return replaced !== text
    }),
  )
  const changelog = readFile(folder, CHANGELOG)
  const dated = changelog.replace(`## ${version} (unreleased)`, `## ${version} (${date})`)
  if (dated !== changelog) writeFileSync(join(folder, CHANGELOG), dated)
  return [...new Set([...changed, ...(dated === changelog ? [] : [CHANGELOG])])]
}

const pattern = (before: RegExp) => new RegExp(`(${before.source})(${VERSION})`, 'gm')

const findFiles = (folder: string, files: string) => globSync(files, { cwd: folder })

const readFile = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

function listMentions(folder: string, files: string, before: RegExp): Mention[] {
  return findFiles(folder, files).flatMap(file => {
    const text = readFile(folder, file)
    return [...text.matchAll(pattern(before))].map(match => ({
      file,
      line: text.slice(0, match.index + match[0].length).split('\n').length,
      version: match[2] ?? '',
    }))
  })
}
