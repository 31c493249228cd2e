import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'

interface Manifest {
  [field: string]: unknown
  exports: Record<string, string>
}

const OF_THE_REPOSITORY = new Set(['private', 'scripts', 'devDependencies'])

const SOURCE = join(CHECKOUT, 'client')
const TARGET = join(CHECKOUT, 'build/client')

/**
 * Builds the package of the client as it is published: JavaScript with declarations, and a manifest that names them. In
 * the repository the manifest names the sources. Returns its folder.
 */
export async function buildClientPackage(): Promise<string> {
  rmSync(TARGET, { recursive: true, force: true })
  mkdirSync(TARGET, { recursive: true })
  await run(join(CHECKOUT, 'node_modules/.bin/tsc'), ['-p', SOURCE], { cwd: CHECKOUT })
  cpSync(join(CHECKOUT, 'LICENSE'), join(TARGET, 'LICENSE'))
  cpSync(join(SOURCE, 'README.md'), join(TARGET, 'README.md'))
  const manifest = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as Manifest
  writeFileSync(join(TARGET, 'package.json'), `${JSON.stringify(toPublished(manifest), null, 2)}\n`)
  return TARGET
}

function toPublished({ exports, ...source }: Manifest): object {
  const published = Object.entries(exports).map(([path, source]) => {
    const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    return [path, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  const fields = Object.entries(source).filter(([field]) => !OF_THE_REPOSITORY.has(field))
  return { ...Object.fromEntries(fields), exports: Object.fromEntries(published), files: ['dist'] }
}
