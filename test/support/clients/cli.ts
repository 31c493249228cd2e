import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKOUT } from '../../../dev/machine/folders.ts'

export const CLI = join(CHECKOUT, 'cli/bin/ganglion.mjs')

export interface CliOutcome {
  code: number
  stdout: string
  stderr: string
}

/** The command line in a separate folder, with separate profiles and state. */
export interface CliFixture {
  folder: string
  env: Record<string, string>
  /** Runs a command to its end. `input` is its stdin, empty by default. */
  run(args: string[], options?: { env?: Record<string, string>; input?: string; cwd?: string }): Promise<CliOutcome>
  remove(): void
}

export function createCli(settings: Record<string, string> = {}): CliFixture {
  const folder = mkdtempSync(join(tmpdir(), 'ganglion-cli-'))
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ...settings,
  }
  return {
    folder,
    env,
    run: (args, { env: more = {}, input, cwd = folder } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { ...env, ...more } })
        let [stdout, stderr] = ['', '']
        child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
        child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
        child.on('error', reject)
        child.on('close', code => resolve({ code: code ?? -1, stdout, stderr }))
        child.stdin.on('error', () => undefined).end(input ?? '')
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
