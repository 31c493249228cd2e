import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { readNotice, renderNotices } from '../../deploy/licenses/notices.ts'
import { buildWidget } from '../console/build.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import { writeTypes } from './generated.ts'

interface Manifest {
  [field: string]: unknown
  exports?: Record<string, string>
}

/**
 * The entry file of the package. It enables the compile cache, which makes every start after the first faster, and
 * then loads the bundle.
 */
const BIN = `#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
enableCompileCache()
await import('./main.js')
`

/** Manifest fields that only the repository needs. */
const OF_THE_REPOSITORY = new Set(['private', 'scripts', 'devDependencies'])

/** Defines `require` for packages in the command-line bundle that still call it. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** The folder of the package that a bundled file belongs to. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/** The file with the licenses of the bundled packages. */
const NOTICES = 'THIRD_PARTY_NOTICES'

/**
 * Builds the client package for publishing: JavaScript, type declarations, the chat widget, and a manifest that refers
 * to them. In the repository, the manifest refers to the sources. Returns the package folder.
 */
export async function buildClientPackage(): Promise<string> {
  const target = prepareFolder('client', [
    'reference/client',
    'guides/clients/typescript',
    'guides/clients/browser-apps',
    'guides/channels/web-chat',
  ])
  await writeTypes()
  await run(join(CHECKOUT, 'node_modules/.bin/tsc'), ['-p', join(CHECKOUT, 'client')], { cwd: CHECKOUT })
  const { exports = {}, ...manifest } = readManifest('client')
  const published = Object.entries(exports).map(([path, source]) => {
    const built = source.replace('./src/', './dist/').replace(/\.tsx?$/, '')
    return [path, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  cpSync(await buildWidget(), join(target, 'dist/widget.js'))
  writeManifest(target, { ...manifest, exports: Object.fromEntries(published) })
  return target
}

/**
 * Builds the command-line package. It contains JavaScript with all dependencies, split by command group. Returns the
 * package folder.
 */
export async function buildCliPackage(): Promise<string> {
  const target = prepareFolder('cli', ['reference/cli', 'guides/clients/cli-and-gitops'])
  const { metafile } = await build({
    entryPoints: { main: join(CHECKOUT, 'cli/src/main.ts') },
    outdir: join(target, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: REQUIRE },
    logLevel: 'error',
    metafile: true,
    absWorkingDir: CHECKOUT,
  })
  const bundled = new Set(Object.keys(metafile.inputs).flatMap(input => PACKAGE_FOLDER.exec(input) ?? []))
  const notices = renderNotices(
    'The Ganglion command line',
    [...bundled].map(folder => readNotice(join(CHECKOUT, folder))),
  )
  writeFileSync(join(target, NOTICES), notices)
  const bin = join(target, 'dist/ganglion.js')
  writeFileSync(bin, BIN)
  chmodSync(bin, 0o755)
  const { dependencies: _, ...manifest } = readManifest('cli')
  writeManifest(target, { ...manifest, bin: { ganglion: './dist/ganglion.js' } })
  return target
}

/** Creates an empty package folder, and copies the license, the notice, the README and these pages of the documentation to it. */
function prepareFolder(name: string, pages: string[]): string {
  const target = join(CHECKOUT, 'build', name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(CHECKOUT, file), join(target, file))
  cpSync(join(CHECKOUT, name, 'README.md'), join(target, 'README.md'))
  mkdirSync(join(target, 'docs'))
  for (const page of pages) {
    // In the package, links between pages would be broken.
    const text = readFileSync(join(CHECKOUT, 'docs', `${page}.md`), 'utf8').replaceAll(
      /\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g,
      '$1',
    )
    writeFileSync(join(target, 'docs', `${basename(page)}.md`), text)
  }
  return target
}

const readManifest = (name: string) =>
  JSON.parse(readFileSync(join(CHECKOUT, name, 'package.json'), 'utf8')) as Manifest

function writeManifest(target: string, manifest: Manifest): void {
  const fields = Object.entries(manifest).filter(([field]) => !OF_THE_REPOSITORY.has(field))
  const published = { ...Object.fromEntries(fields), files: ['dist', 'docs', 'NOTICE', NOTICES] }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}
