import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Where a worker keeps the bundle that it has built. */
const BUILT = join(ROOT, 'build/workflow-bundle.js')

/**
 * A bundle of the workflow code in which timers take no time: what runs from before does not fit it.
 * @param use is given its setting; the bundle is gone afterwards
 */
export async function withoutTimers<T>(use: (setting: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    const file = join(folder, 'workflow-bundle.js')
    const code = await readFile(BUILT, 'utf8')
    const changed = code.replace(/\(0,\s*\w+\.sleep\)\(/g, '(() => Promise.resolve())(')
    if (changed === code) throw new Error('the bundle has no timers as they are looked for here')
    await Promise.all([writeFile(file, changed), writeFile(`${file}.hash`, await readFile(`${BUILT}.hash`))])
    return await use(relative(ROOT, file))
  } finally {
    await rm(folder, { recursive: true })
  }
}
