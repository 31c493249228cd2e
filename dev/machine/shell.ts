import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The user that a child process runs as. Only root can choose a different user. */
export interface UserId {
  uid: number
  gid: number
  name: string
}

export interface RunOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  /** Milliseconds after which the command is killed. Default: 10 minutes. */
  timeoutMs?: number
  user?: UserId
}

const OUTPUT_KEPT = 65_536

/** Thrown when a command can't be started, exits with a nonzero code, or takes too long. */
export class CommandError extends Error {
  readonly output: string

  constructor(message: string, output: string) {
    super(output.trim() ? `${message}\n${output.trim().split('\n').slice(-20).join('\n')}` : message)
    this.name = 'CommandFailed'
    this.output = output
  }
}

/** Runs a command and returns its standard output (the last 64 KB). Throws CommandError on failure. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      timeout: options.timeoutMs ?? 600_000,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.user && { uid: options.user.uid, gid: options.user.gid }),
    })
    let stdout = ''
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-OUTPUT_KEPT)
      output = (output + text).slice(-OUTPUT_KEPT)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_KEPT)
    })
    child.on('error', error => reject(new CommandError(`${command}: ${error.message}`, output)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(stdout)
      else
        reject(
          new CommandError(
            `${command} ${args.find(arg => !arg.startsWith('-')) ?? ''} exited with ${signal ?? `code ${code}`}`,
            output,
          ),
        )
    })
  })
}

/** Returns true if the command runs and exits with code 0. */
export async function succeeds(command: string, args: string[], options: RunOptions = {}): Promise<boolean> {
  try {
    await run(command, args, options)
    return true
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}

/** Returns the full path of an executable in PATH or in one of the `extra` folders. */
export function which(name: string, extra: string[] = []): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...extra]
  return folders
    .filter(Boolean)
    .map(folder => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
