import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPythonPackages } from '../../support/clients/python-packages.ts'

const PACKAGE = 'schemathesis==4.32.5'
const CONFIG = join(import.meta.dirname, 'schemathesis.toml')

export interface FuzzOptions {
  baseUrl: string
  apiKey: string
  /** The largest number of requests that are made up for an operation, in each phase. */
  examples: number
  phases: ('examples' | 'coverage' | 'fuzzing' | 'stateful')[]
  seed?: number
  /** Operations by their ids. Default: all. */
  operations?: string[]
  /** What it prints goes to the terminal, too. */
  isShown?: boolean
}

export interface FuzzResult {
  /** True when no check of Schemathesis failed. */
  ok: boolean
  output: string
}

/** Runs Schemathesis against a running API. Each of its requests is made up from the OpenAPI document. */
export async function runSchemathesis(options: FuzzOptions): Promise<FuzzResult> {
  const { baseUrl, apiKey, examples, phases, seed, operations = [], isShown = false } = options
  const python = await installPythonPackages(PACKAGE)
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
  try {
    const args = [
      '-m',
      'schemathesis.cli',
      '--config-file',
      CONFIG,
      'run',
      `${baseUrl}/v1/openapi.json`,
      `--url=${baseUrl}`,
      `--max-examples=${examples}`,
      `--phases=${phases.join(',')}`,
      '--workers=2',
      '--no-color',
      '--generation-database=none',
      ...(seed === undefined ? [] : [`--seed=${seed}`]),
      ...operations.map(id => `--include-operation-id=${id}`),
    ]
    const child = spawn(python, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, FUZZ_API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
      if (isShown) process.stdout.write(chunk)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const [code] = (await once(child, 'close')) as [number | null]
    return { ok: code === 0, output }
  } finally {
    await rm(folder, { recursive: true })
  }
}
