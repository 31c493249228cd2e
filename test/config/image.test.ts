import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, matchesGlob, normalize, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Package {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

const { dependencies, devDependencies, scripts } = JSON.parse(read('package.json')) as Package
/** The dependencies of the command line and the client, which are also installed in the image. */
const ofWorkspaces = ['cli', 'client'].map(name => (JSON.parse(read(`${name}/package.json`)) as Package).dependencies)
const installed = Object.assign({}, dependencies, ...ofWorkspaces) as Record<string, string>
const dockerfile = read('Dockerfile')

/** The scripts that the image and the Compose file run, the commands on the image's path, and the workflow code. */
const RUNTIME = [
  ...`${dockerfile}\n${read('docker-compose.yml')}`.matchAll(/(?:node"?,? "?|ln -s \/app\/)([\w./-]+\.m?[tj]s)/g),
]
  .map(([, script = '']) => script)
  .concat('workflows/index.ts', 'workflows/shared/interceptors.ts')
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

interface Copy {
  sources: string[]
  target: string
}

/** Returns the `COPY` lines for files from the build context, in the named stages or in the last stage. */
function listCopies(...stages: string[]): Copy[] {
  const named = dockerfile.split(/^(?=FROM )/m).slice(1)
  const chosen = stages.length === 0 ? named.slice(-1) : named.filter(text => stages.includes(nameOf(text)))
  return [...chosen.join('').matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].map(([, sources = '', target = '']) => ({
    sources: sources.split(' '),
    target: normalize(target).replace(/\/$/, ''),
  }))
}

const nameOf = (stage: string) => /^FROM \S+ AS (\S+)/.exec(stage)?.[1] ?? ''

/** Returns a check for files that the build context contains and that these `COPY` lines copy to their own path. */
function createIsCopied(copies: Copy[], lines: string[] = rules): (path: string) => boolean {
  const copied = copies.flatMap(({ sources, target }) =>
    sources.filter(source => source === target || dirname(source) === target),
  )
  return path => isInContext(path, lines) && copied.some(source => path === source || path.startsWith(`${source}/`))
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
    .filter(path => path !== '' && !/^(build|node_modules)\b/.test(path))
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
  [...dockerfile.matchAll(/--from=build \/app\/node_modules\/((?:@[\w-]+\/)?[\w-]+)\//g)].map(([, name = '']) => name),
)

test('the entry points of the image are listed', () => {
  expect(RUNTIME).toEqual(
    expect.arrayContaining(['api/main.ts', 'activities/worker.ts', 'api/admin.ts', 'cli/bin/ganglion.mjs']),
  )
  for (const path of [...RUNTIME, ...BUILD]) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
})

test('the image contains every file that its processes import', async () => {
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
      'cli/src/main.ts',
      'migrations/all.ts',
      'deploy/core.json',
      'package.json',
    ]),
  )
  const copies = listCopies()
  const isCopied = createIsCopied(copies)
  expect([...files].filter(path => !isCopied(path))).toEqual([])
  const isOutside = createIsCopied(
    copies,
    rules.filter(rule => rule !== '!observability'),
  )
  const isLeftOut = createIsCopied(copies.filter(({ target }) => target !== 'observability'))
  for (const isPresent of [isOutside, isLeftOut])
    expect([...files].filter(path => !isPresent(path))).toContain('observability/log.ts')
  for (const path of ['console/main.tsx', 'client/openapi.json', 'client/generator/generate.ts'])
    expect([path, existsSync(join(ROOT, path)), isCopied(path)]).toEqual([path, true, false])
})

test('the build context contains no models or model servers', () => {
  const servers = ['dev/embeddings/server.py', 'dev/extractive/server.ts', 'dev/components/speech.ts']
  for (const path of servers)
    expect([path, existsSync(join(ROOT, path)), isInContext(path)]).toEqual([path, true, false])
})

test("the image's packages are production dependencies, or are copied into the image", async () => {
  const { packages } = await collectImports(RUNTIME)
  const isPresent = (name: string) => isBuiltin(name) || name in installed || copied.has(name)
  expect([...packages].filter(([name]) => !isPresent(name))).toEqual([])
})

test('the build stage contains every file that the image build imports', async () => {
  const { files, packages } = await collectImports(BUILD)
  const isCopied = createIsCopied(listCopies('manifests', 'build'))
  expect([...files].filter(path => !isCopied(path))).toEqual([])
  const isPresent = (name: string) => isBuiltin(name) || name in dependencies || name in devDependencies
  const missing = [...packages].filter(([name]) => !isPresent(name))
  expect(missing.filter(([, path]) => !path.startsWith('client/'))).toEqual([])
})
