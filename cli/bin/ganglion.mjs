#!/usr/bin/env node
// Starts the command line from its sources. They need a Node version that strips types: this one, or the one in the
// checkout.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)
const newer = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))

if (process.features.typescript) {
  nodeModule.enableCompileCache()
  await import(main.href)
} else if (existsSync(newer)) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const { status, signal } = spawnSync(newer, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0)
} else {
  process.stderr.write('ganglion requires Node 22.18 or later\n')
  process.exitCode = 1
}
