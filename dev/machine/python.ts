import { join } from 'node:path'
import type { AptInstall } from './apt.ts'
import { run, succeeds, which } from './shell.ts'

const NAMES = ['python3', 'python3.12', 'python3.11', 'python3.13', 'python3.10']
const COMPLETE = 'import sys, pip, venv, ensurepip; assert (3, 10) <= sys.version_info'

/** Returns Python 3.10 or later with pip and venv. If there is none, installs the one from Debian. */
export async function findPython(apt: AptInstall): Promise<string> {
  const python = await firstComplete()
  if (python) return python
  await apt(['python3', 'python3-pip', 'python3-venv'], 'Python 3.10 or later with pip and venv')
  const installed = await firstComplete()
  if (!installed) throw new Error('Could not find or install Python 3.10 or later with pip and venv')
  return installed
}

async function firstComplete(): Promise<string | undefined> {
  const paths = [...NAMES.map(name => which(name)), '/usr/bin/python3']
  for (const python of paths) {
    if (python && (await succeeds(python, ['-c', COMPLETE]))) return python
  }
  return undefined
}

/** Installs packages into a folder, without their dependencies. */
export async function pipIntoFolder(python: string, folder: string, packages: string[]): Promise<void> {
  await run(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--target', folder, ...packages])
}

/** Creates a virtual environment with these packages and their dependencies. */
export async function pipIntoVenv(python: string, folder: string, packages: string[]): Promise<void> {
  await run(python, ['-m', 'venv', folder])
  await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '-q', ...packages])
}

/** Unpacks a zip file (or a jar or wheel). */
export async function unzip(python: string, archive: string, folder: string): Promise<void> {
  await run(python, ['-m', 'zipfile', '-e', archive, folder])
}
