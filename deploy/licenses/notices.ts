import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { correctLicense } from './policy.ts'

/** A package that is distributed with Ganglion, and the texts of its license files. */
export interface PackageNotice {
  name: string
  version: string
  license: string
  text: string
}

const LICENSE_FILE = /^(licen[cs]e|copying|copyright|notice)/i

const NO_TEXT = 'These packages contain no license text. For the text, see https://spdx.org/licenses.'

/** The package that the API reference page is bundled from, with its dependencies. */
const API_REFERENCE = 'node_modules/@scalar/api-reference'

/** Reads the notice of an installed package. */
export function readNotice(folder: string): PackageNotice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageNotice
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    entry => entry.isFile() && LICENSE_FILE.test(entry.name),
  )
  const text = files.map(file => readFileSync(join(folder, file.name), 'utf8').trim()).join('\n\n')
  return { name, version, license: correctLicense(name, version, license), text }
}

/** Renders the notices as one text. Packages with the same license text share it. */
export function renderNotices(product: string, notices: PackageNotice[]): string {
  const sorted = notices.toSorted((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version))
  const byText = Map.groupBy(sorted, ({ text }) => text.replaceAll(/\s+/g, ' '))
  const sections = [...byText.values()].map(group => {
    const titles = new Set(group.map(({ name, version, license }) => `${name} ${version} (${license})`))
    return `${[...titles].join('\n')}\n\n${group[0]?.text || NO_TEXT}`
  })
  const head = `${product} contains the following packages. Of several licenses, the permissive one applies.`
  return [head, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`).concat('\n')
}

/** A package in the console or the chat widget, as Vite reports it. */
interface BundledPackage {
  name: string
  version: string
  identifier?: string
  text?: string
}

interface LockedPackage {
  dev?: boolean
  link?: boolean
  devOptional?: boolean
  dependencies?: Record<string, string>
}

/** Lists the folders of the installed runtime packages, and of the packages in the API reference page. */
function listFolders(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const folders = new Set(
    Object.entries(packages).flatMap(([path, { dev, devOptional }]) => (dev || devOptional ? [] : [path])),
  )
  // The loop also visits the folders that it adds.
  for (const path of folders.add(API_REFERENCE))
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) folders.add(resolve(packages, path, name))
  return [...folders].filter(
    path => path.includes('node_modules/') && !packages[path]?.link && existsSync(join(path, 'package.json')),
  )
}

/** Returns the folder of a dependency: in the package's own folder, or in the nearest folder above it. */
function resolve(packages: Record<string, LockedPackage>, path: string, name: string): string {
  const own = join(path, 'node_modules', name)
  if (path === '' || own in packages) return own
  return resolve(packages, path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

/** Lists the packages in the image. In the repository root, `build/console` and `build/widget` must be built. */
function listImageNotices(): PackageNotice[] {
  const bundled = ['console', 'widget'].flatMap(
    name => JSON.parse(readFileSync(`build/${name}/licenses.json`, 'utf8')) as BundledPackage[],
  )
  return [
    ...listFolders().map(readNotice),
    ...bundled.map(({ name, version, identifier, text = '' }) => {
      return { name, version, license: correctLicense(name, version, identifier), text }
    }),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync('build/THIRD_PARTY_NOTICES', renderNotices('The Ganglion image', listImageNotices()))
