import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../workflows')
/** State that a module would share between runs: a variable, or any object except a set of constants. */
const SHARED = /^(?:export )?(?:let|var) .*|^(?:export )?const \w+(?:: [^=]+)? = new (?!Set\b).*/gm

test('no workflow module keeps state, because all runs in a worker share the modules', async () => {
  const files = (await readdir(FOLDER, { recursive: true })).filter(file => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(50)
  const found = await Promise.all(
    files.map(async file =>
      ((await readFile(join(FOLDER, file), 'utf8')).match(SHARED) ?? []).map(line => [file, line]),
    ),
  )
  expect(found.flat()).toEqual([])
})
