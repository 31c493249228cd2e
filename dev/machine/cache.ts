import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { cacheFolder, makeFolder } from './folders.ts'
import { run } from './shell.ts'

/**
 * Returns the folder for something that is installed once per machine. `name` contains the version, so each version
 * gets its own folder. `build` fills a temporary folder, which is renamed when it is complete. An interrupted
 * installation is therefore never mistaken for a complete one.
 */
export async function installOnce(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  const cache = makeFolder(cacheFolder())
  const target = join(cache, name)
  if (existsSync(target)) return target
  const temporary = join(cache, `.${name}.${randomBytes(6).toString('hex')}`)
  mkdirSync(temporary, { mode: 0o755 })
  try {
    await build(temporary)
    await run('chmod', ['-R', 'a+rX', temporary])
    if (!existsSync(target)) renameSync(temporary, target)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return target
}

/** Throws unless the file has the expected SHA-256 (hex). */
export async function verifySha256(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const digest = hash.digest('hex')
  if (digest !== expected) throw new Error(`${file} has sha256 ${digest}, expected ${expected}`)
}
