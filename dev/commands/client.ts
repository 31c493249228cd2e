import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buildCliPackage, buildClientPackage } from '../client/build.ts'
import { writeGenerated } from '../client/generated.ts'
import { ensureChromium } from '../machine/chromium.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { logLine } from '../stack/log.ts'
import type { Command } from './command.ts'

/**
 * `npm run client:generate`: writes the OpenAPI document, the types and methods of the client, and the operations for
 * the command line.
 */
export const generateClient: Command = async () => {
  const changed = await writeGenerated()
  process.stdout.write(changed.length > 0 ? changed.map(file => `wrote ${file}\n`).join('') : 'nothing changed\n')
  return 0
}

/**
 * `npm run client:build`: builds the client package for publishing in build/client. Run `npm pack` there to create
 * the tarball.
 */
export const buildClient: Command = async () => {
  process.stdout.write(`${await buildClientPackage()}\n`)
  return 0
}

/** `npm run cli:build`: builds the command-line package in build/cli. */
export const buildCli: Command = async () => {
  process.stdout.write(`${await buildCliPackage()}\n`)
  return 0
}

/**
 * `npm run test:client`: tests the packed client in Node, in Chromium and in an edge runtime, and checks the
 * publishing requirements.
 */
export const testClient: Command = async () => {
  const browser = await ensureChromium(message => logLine('client', message))
  const child = spawn(process.execPath, [join(CHECKOUT, 'test/clients/client/platforms/main.ts')], {
    cwd: CHECKOUT,
    env: {
      ...process.env,
      CHROMIUM: browser,
      CLIENT_PACKAGE: await buildClientPackage(),
      CLI_PACKAGE: await buildCliPackage(),
    },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
