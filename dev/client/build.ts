import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import { writeTypes } from './generated.ts'

interface Manifest {
  [field: string]: unknown
  exports?: Record<string, string>
}

/** Starts the bundle with a cache of its compiled code, which makes each start but the first quicker. */
const BIN = `#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
enableCompileCache()
await import('./main.js')
`

/** Fields of a manifest that concern the repository only. */
const OF_THE_REPOSITORY = new Set(['private', 'scripts', 'devDependencies'])

/** The bundle of the command line still calls `require` of the packages in it. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/**
 * Builds the package of the client as it is published: JavaScript with declarations, and a manifest that names them. In
 * the repository the manifest names the sources. Returns its folder.
 */
export async function buildClientPackage(): Promise<string> {
  const target = prepareFolder('client')
  await writeTypes()
  await run(join(CHECKOUT, 'node_modules/.bin/tsc'), ['-p', join(CHECKOUT, 'client')], { cwd: CHECKOUT })
  const { exports = {}, ...manifest } = readManifest('client')
  const published = Object.entries(exports).map(([path, source]) => {
    const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    return [path, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  writeManifest(target, { ...manifest, exports: Object.fromEntries(published) })
  return target
}

/** Builds the package of the command line: JavaScript with all that it needs, a part for each group of commands. */
export async function buildCliPackage(): Promise<string> {
  const target = prepareFolder('cli')
  await build({
    entryPoints: { main: join(CHECKOUT, 'cli/src/main.ts') },
    outdir: join(target, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: REQUIRE },
    logLevel: 'error',
  })
  const bin = join(target, 'dist/ganglion.js')
  writeFileSync(bin, BIN)
  chmodSync(bin, 0o755)
  const { dependencies: _, ...manifest } = readManifest('cli')
  writeManifest(target, { ...manifest, bin: { ganglion: './dist/ganglion.js' } })
  return target
}

/** Makes the empty folder of a package, with its license and its README. */
function prepareFolder(name: string): string {
  const target = join(CHECKOUT, 'build', name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  cpSync(join(CHECKOUT, 'LICENSE'), join(target, 'LICENSE'))
  cpSync(join(CHECKOUT, name, 'README.md'), join(target, 'README.md'))
  return target
}

const readManifest = (name: string) =>
  JSON.parse(readFileSync(join(CHECKOUT, name, 'package.json'), 'utf8')) as Manifest

function writeManifest(target: string, manifest: Manifest): void {
  const fields = Object.entries(manifest).filter(([field]) => !OF_THE_REPOSITORY.has(field))
  const published = { ...Object.fromEntries(fields), files: ['dist'] }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}
