import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../workflows')
/** What a module would share between runs: a variable, and an object other than a set of constants. */
const SHARED = /^(?:export )?(?:let|var) .*|^(?:export )?const \w+(?:: [^=]+)? = new (?!Set\b).*/gm

test('no module of workflows holds state, because all runs of a worker share the modules', async () => {
  const files = (await readdir(FOLDER, { recursive: true })).filter(file => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(50)
  const found = await Promise.all(
    files.map(async file =>
      ((await readFile(join(FOLDER, file), 'utf8')).match(SHARED) ?? []).map(line => [file, line]),
    ),
  )
  expect(found.flat()).toEqual([])
})
