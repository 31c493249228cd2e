import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'

const ROOT = join(import.meta.dirname, '..')
/**
 * Initialised once for all runs of a worker: setting up the expression language is half of what a run's own copy of the
 * code would cost. What is listed here must keep nothing about a run.
 */
const SHARED = ['@marcbachmann/cel-js']
/** What the bundle is made of: when one of these changes, it is built again. */
const SOURCES = ['workflows', 'domain', 'package-lock.json']

/**
 * The workflow code as one bundle, for the worker. Building takes seconds, so the result is kept in `file`, beside the
 * hash of its sources, and used as long as they are the same.
 */
export async function loadWorkflowBundle(config: { WORKFLOW_BUNDLE: string }): Promise<{ code: string }> {
  const file = resolve(ROOT, config.WORKFLOW_BUNDLE)
  const hash = await hashSources()
  const keptHash = await readFile(`${file}.hash`, 'utf8').catch(() => '')
  if (keptHash === hash) return { code: await readFile(file, 'utf8') }
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    preloadModules: SHARED,
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error },
  })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, code)
  await writeFile(`${file}.hash`, hash)
  return { code }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const path of await filesOf(join(ROOT, source))) hash.update(path).update(await readFile(path))
  }
  return hash.digest('hex')
}

async function filesOf(path: string): Promise<string[]> {
  if (path.endsWith('.json')) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

if (import.meta.main) await loadWorkflowBundle({ WORKFLOW_BUNDLE: 'build/workflow-bundle.js' })
