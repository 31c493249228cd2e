import satisfies from 'spdx-satisfies'

/** Licenses that any package may have, including development packages: the console is bundled from some of them. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Copyleft for the files of the package only. They are distributed unmodified.
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]

/** Licenses of packages whose manifest has none or no SPDX expression. They are read from the license file. */
const CORRECTIONS: Record<string, string> = {
  'duck@0.1.12': 'BSD-2-Clause',
  'format@0.2.2': 'MIT',
  'khroma@2.1.0': 'MIT',
  'unionfs@4.6.0': 'Unlicense',
}

/** Development packages with another license, and why they are never distributed. */
const EXCEPTIONS: Record<string, string> = {
  '@cspell/dict-en-common-misspellings': 'CC-BY-SA-4.0: a word list of the spelling check',
}

/** An entry in `packages` of package-lock.json. */
interface LockedPackage {
  name?: string
  version?: string
  license?: string
  link?: boolean
}

export interface Lock {
  packages: Record<string, LockedPackage>
}

/** Returns the license of a package as an SPDX expression. */
export const correctLicense = (name: string, version: string, license: string | undefined): string =>
  CORRECTIONS[`${name}@${version}`] ?? license ?? 'none'

/** Lists the locked packages, for all platforms, with a license that isn't allowed. Also lists unused corrections. */
export function findForbiddenLicenses({ packages }: Lock): string[] {
  const locked = Object.entries(packages)
    .filter(([, { link }]) => !link)
    .map(([path, { name, version = '', license }]) => {
      const packageName = name ?? path.split('node_modules/').at(-1) ?? path
      return {
        id: `${packageName}@${version}`,
        name: packageName,
        license: correctLicense(packageName, version, license),
      }
    })
  const ids = new Set(locked.map(({ id }) => id))
  const forbidden = locked.filter(({ name, license }) => !(name in EXCEPTIONS) && !isAllowed(license))
  const unused = Object.keys(CORRECTIONS).filter(id => !ids.has(id))
  return [
    ...forbidden.map(({ id, license }) => `${id}: the license ${license} isn't allowed`),
    ...unused.map(id => `${id}: no such package is locked. Remove its correction.`),
  ]
}

/** Checks whether one of the package's licenses is allowed. False if the expression isn't valid SPDX. */
function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED)
  } catch {
    return false
  }
}
