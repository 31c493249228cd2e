import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Package {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

const { dependencies, devDependencies, scripts } = JSON.parse(read('package.json')) as Package
const dockerfile = read('Dockerfile')

/** The scripts that the image, the Compose file and operators run, and the entry files of `npm run build`. */
const RUNTIME = [...`${dockerfile}\n${read('docker-compose.yml')}`.matchAll(/node"?,? "?([\w./-]+\.ts)/g)]
  .map(([, script = '']) => script)
  .concat('api/admin.ts', 'workflows/index.ts', 'workflows/shared/interceptors.ts')
const BUILD = [...(scripts.build ?? '').matchAll(/node ([\w./-]+)/g)]
  .map(([, script = '']) => script)
  .concat('console/main.tsx', 'console/vite.config.ts')

const rules = read('.dockerignore')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** Docker applies the last rule that matches the path or one of its folders. */
function isInContext(path: string, lines: string[] = rules): boolean {
  const ancestors = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
  const isMatch = (rule: string) => ancestors.some(ancestor => matchesGlob(ancestor, rule.replace(/^!/, '')))
  return lines.findLast(isMatch)?.startsWith('!') ?? true
}

/** The client's entry points by name. The client is a package in this repository, and its sources are in the image. */
const CLIENT = Object.fromEntries(
  Object.entries((JSON.parse(read('client/package.json')) as { exports: Record<string, string> }).exports).map(
    ([name, path]) => [`@ganglion/client${name.slice(1)}`, join(ROOT, 'client', path)],
  ),
)

interface Imports {
  /** Files relative to the checkout. */
  files: Set<string>
  /** Package names, each with a file that imports it. */
  packages: Map<string, string>
}

/** Follows all imports of the entry points, and includes the files in `new URL(…, import.meta.url)`. */
async function collectImports(entries: string[]): Promise<Imports> {
  const found: Imports = { files: new Set(), packages: new Map() }
  for (let open = entries; open.length > 0;) {
    const { metafile } = await build({
      entryPoints: open.map(path => join(ROOT, path)),
      absWorkingDir: ROOT,
      outdir: '/nowhere',
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      external: ['virtual:*'],
      alias: CLIENT,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      loader: { '.css': 'empty' },
    })
    const sources = Object.entries(metafile.inputs).filter(([path]) => !found.files.has(path))
    for (const [path, { imports }] of sources) {
      found.files.add(path)
      for (const one of imports) if (one.external) found.packages.set(toPackage(one.path), path)
      for (const one of listPackagePaths(path)) found.packages.set(toPackage(one), path)
    }
    const named = sources.flatMap(([path]) => listNamedFiles(path))
    for (const path of named) if (!isScript(path)) found.files.add(path)
    open = named.filter(path => isScript(path) && !found.files.has(path))
  }
  return found
}

const isScript = (path: string) => /\.[mc]?[jt]sx?$/.test(path)

function listNamedFiles(source: string): string[] {
  const names = [...read(source).matchAll(/new URL\('([^']+)', import\.meta\.url\)|here\('([^']+)'\)/g)]
  return names
    .map(([, url, here]) => relative(ROOT, resolve(ROOT, dirname(source), url ?? here ?? '')))
    .filter(path => path !== '' && !path.startsWith('build'))
}

const listPackagePaths = (source: string) =>
  [...read(source).matchAll(/createRequire\(import\.meta\.url\)\.resolve\('([^']+)'\)/g)].map(([, name = '']) => name)

const toPackage = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')

const isBuiltin = (name: string) =>
  name.startsWith('node:') || name.startsWith('virtual:') || builtinModules.includes(name)

/** Packages that the last image stage copies from the stage that installs all packages. */
const copied = new Set(
  [...dockerfile.matchAll(/--from=bundle \/app\/node_modules\/((?:@[\w-]+\/)?[\w-]+)\//g)].map(([, name = '']) => name),
)

test('the entry points of the image are listed', () => {
  expect(RUNTIME).toEqual(
    expect.arrayContaining(['api/main.ts', 'activities/worker.ts', 'migrations/migrate.ts', 'deploy/worker-health.ts']),
  )
  for (const path of [...RUNTIME, ...BUILD]) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
})

test("the build context contains every file that the image's processes import", async () => {
  const { files } = await collectImports(RUNTIME)
  // Entry points of threads and child processes, and one data file.
  expect([...files]).toEqual(
    expect.arrayContaining([
      'activities/shared/isolation/watch.ts',
      'activities/documents/extract/process/main.ts',
      'activities/documents/extract/formats/pdf.ts',
      'search/embedding/chunk-thread.ts',
      'services/pathways/evaluation/thread.ts',
      'client/src/evidence.ts',
      'deploy/core.json',
      'package.json',
    ]),
  )
  expect([...files].filter(path => !isInContext(path))).toEqual([])
  const without = rules.filter(rule => rule !== '!observability')
  expect([...files].filter(path => !isInContext(path, without))).not.toEqual([])
})

test('the build context contains no models or model servers', () => {
  const servers = ['dev/embeddings/server.py', 'dev/extractive/server.ts', 'dev/components/speech.ts']
  for (const path of servers)
    expect([path, existsSync(join(ROOT, path)), isInContext(path)]).toEqual([path, true, false])
})

test("the image's packages are production dependencies, or are copied into the image", async () => {
  const { packages } = await collectImports(RUNTIME)
  const isPresent = (name: string) => isBuiltin(name) || name in dependencies || copied.has(name)
  expect([...packages].filter(([name]) => !isPresent(name))).toEqual([])
})

test('the build context contains every file that the image build imports', async () => {
  const { files, packages } = await collectImports(BUILD)
  expect([...files].filter(path => !isInContext(path))).toEqual([])
  const isPresent = (name: string) => isBuiltin(name) || name in dependencies || name in devDependencies
  const missing = [...packages].filter(([name]) => !isPresent(name))
  expect(missing.filter(([, path]) => !path.startsWith('client/'))).toEqual([])
})
