import { globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Imports all modules of the API, the worker and the command line, so that Node writes them to the compile cache. Fails
 * if a module can't be loaded. Run by the image build.
 */
const ROOT = join(import.meta.dirname, '..')

/** Entry points, which would start a process or a thread. They contain little code. */
const ENTRIES = /\/(main|admin|worker|migrate|watch)\.ts$/

const modules = globSync('{activities,api,cli/src,client/src,migrations}/**/*.ts', { cwd: ROOT })
for (const path of modules.filter(path => !ENTRIES.test(path))) await import(join(ROOT, path))
process.exit(0)
