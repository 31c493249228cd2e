import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CHECKOUT } from '../../dev/machine/folders.ts'

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
})

/** Returns where Node would look for `name` from the package at `path`: in the package itself, then in its parents. */
function candidates(path: string, name: string): string[] {
  const parts = path === '' ? [] : path.split('/node_modules/')
  return [...parts.keys()]
    .map(depth => `${parts.slice(0, parts.length - depth).join('/node_modules/')}/node_modules/${name}`)
    .concat(`node_modules/${name}`)
}

describe('package-lock.json', () => {
  test('contains the packages of every platform, as npm ci requires', () => {
    const { packages } = lock.parse(JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')))
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter(
        name => !candidates(path, name).some(context => packages[context]?.version),
      ),
    )
    expect(missing).toEqual([])
  })
})
