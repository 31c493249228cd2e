import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CHECKOUT } from '../machine/folders.ts'
import { hold } from '../stack/holders.ts'
import { openHome } from '../stack/home.ts'
import { HOME, commandComponents } from '../stack/house.ts'
import { leave } from '../stack/leave.ts'
import { logLine } from '../stack/log.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { testEnvironment } from './test.ts'

/**
 * `npm run bench [-- --only <name> --quick --json --profile <folder>]`: ours beside plain Temporal, on the components
 * that run or are started for it. `docs/benchmarks.md` says what is measured.
 */
export const bench: Command = async args => {
  openHome(HOME)
  const interrupted = untilInterrupted()
  hold(HOME)
  try {
    const { env } = await commandComponents({ stays: false, interrupted })
    interrupted.throwIfAborted()
    return await runBench(args, testEnvironment(env), interrupted)
  } finally {
    await leave(HOME, logLine)
  }
}

async function runBench(args: string[], env: Record<string, string>, interrupted: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, ['test/bench/main.ts', ...args], {
    cwd: CHECKOUT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  interrupted.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
