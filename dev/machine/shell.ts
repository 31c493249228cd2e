import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The user a child runs as; only root can choose one. */
export interface UserId {
  uid: number
  gid: number
  name: string
}

export interface RunOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  /** Milliseconds until the command is killed. Default: 10 minutes. */
  timeoutMs?: number
  user?: UserId
}

const OUTPUT_KEPT = 65_536

/** A command that could not be started, ended with another code than 0, or took too long. */
export class CommandError extends Error {
  readonly output: string

  constructor(message: string, output: string) {
    super(output.trim() ? `${message}\n${output.trim().split('\n').slice(-20).join('\n')}` : message)
    this.name = 'CommandFailed'
    this.output = output
  }
}

/** Runs a command to its end and gives its standard output (the last 64 KB). Throws CommandError. */
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
            `${command} ${args.find(arg => !arg.startsWith('-')) ?? ''} ended with ${signal ?? `code ${code}`}`,
            output,
          ),
        )
    })
  })
}

/** True when the command runs and ends with code 0. */
export async function succeeds(command: string, args: string[], options: RunOptions = {}): Promise<boolean> {
  try {
    await run(command, args, options)
    return true
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}

/** The full path of an executable found in PATH, then in `extra` folders. */
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
