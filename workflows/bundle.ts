import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'

const ROOT = join(import.meta.dirname, '..')
const WORKFLOWS = join(ROOT, 'workflows/index.ts')
const INTERCEPTORS = join(ROOT, 'workflows/shared/interceptors.ts')
/** Sources of the bundle. Changing one of them triggers a new build. */
const SOURCES = ['workflows', 'domain', 'package-lock.json']

interface BundleSettings {
  /** Path of the bundle file. */
  WORKFLOW_BUNDLE: string
  /**
   * Folder for compiled modules, which makes builds five times as fast. Only one process may use the folder at a
   * time.
   */
  WORKFLOW_BUNDLE_CACHE?: string
}

/** Read by `workflows/shared/versioning.ts`. On the first line, so that line numbers in stack traces stay the same. */
const HAS_BUILD = 'globalThis.hasWorkerBuild=true;'

/**
 * Returns the workflow code as one bundle. A build takes seconds, so the bundle is stored in a file with the hash of
 * its sources, and rebuilt if they change. `hasBuild` says whether the worker that runs the bundle has a build id.
 */
export async function loadWorkflowBundle(config: BundleSettings, { hasBuild = false } = {}): Promise<{ code: string }> {
  const code = await loadCode(config)
  return { code: hasBuild ? HAS_BUILD + code : code }
}

async function loadCode(config: BundleSettings): Promise<string> {
  const { WORKFLOW_BUNDLE_CACHE: cacheFolder } = config
  const file = resolve(ROOT, config.WORKFLOW_BUNDLE)
  const hash = await hashSources()
  const storedHash = await readFile(`${file}.hash`, 'utf8').catch(() => '')
  if (storedHash === hash) return readFile(file, 'utf8')
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS],
    // Initialized once for all runs of a worker, including all imports (ADR 0105).
    preloadModules: [WORKFLOWS, INTERCEPTORS],
    webpackConfigHook: options => {
      compileForNode(options.module?.rules as CompileRule[])
      return cacheFolder
        ? { ...options, cache: { type: 'filesystem', cacheDirectory: resolve(ROOT, cacheFolder) } }
        : options
    },
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error },
  })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code)
  await writeFile(`${file}.hash`, hash)
  return code
}

/** A compile rule from the SDK, for TypeScript or other files. */
interface CompileRule {
  use: { options?: { jsc: { target: string } } }
}

/** The SDK compiles for ES2017, where each object spread becomes several function calls. */
function compileForNode(rules: CompileRule[]): void {
  for (const { use } of rules) if (use.options) use.options.jsc.target = 'es2024'
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const path of await listFiles(join(ROOT, source))) hash.update(path).update(await readFile(path))
  }
  return hash.digest('hex')
}

async function listFiles(path: string): Promise<string[]> {
  if (path.endsWith('.json')) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

if (import.meta.main) await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
