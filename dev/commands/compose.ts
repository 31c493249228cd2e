import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CHECKOUT } from '../machine/folders.ts'
import type { Command } from './command.ts'

/**
 * `npm run test:compose`: starts docker-compose.yml, and runs workflows while containers stop and fail. Needs the
 * images: see test/compose/README.md.
 */
export const testCompose: Command = async () => {
  const child = spawn(process.execPath, ['test/compose/main.ts'], { cwd: CHECKOUT, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
