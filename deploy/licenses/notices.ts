import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** Packages in the image: runtime dependencies, and the packages that the API reference page is bundled from. */
const IN_IMAGE = '.prod:not(.workspace), [name="@scalar/api-reference"], [name="@scalar/api-reference"] *'

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

/** A package in the console, as Vite reports it. */
interface ConsolePackage {
  name: string
  version: string
  identifier?: string
  text?: string
}

/** Lists the packages in the image. In the repository root, `build/console` must be built. */
function listImageNotices(): PackageNotice[] {
  const output = execFileSync('npm', ['query', IN_IMAGE], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const folders = (JSON.parse(output) as { path: string }[]).map(({ path }) => path)
  const bundled = JSON.parse(readFileSync('build/console/licenses.json', 'utf8')) as ConsolePackage[]
  return [
    ...folders.map(readNotice),
    ...bundled.map(({ name, version, identifier, text = '' }) => {
      return { name, version, license: correctLicense(name, version, identifier), text }
    }),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync('build/THIRD_PARTY_NOTICES', renderNotices('The Ganglion image', listImageNotices()))
