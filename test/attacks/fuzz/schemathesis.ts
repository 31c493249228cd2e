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
  /** Maximum generated requests per operation and phase. */
  examples: number
  phases: ('examples' | 'coverage' | 'fuzzing' | 'stateful')[]
  seed?: number
  /** Operation ids. Default: all operations. */
  operations?: string[]
  /** Also prints the output in the terminal. */
  isShown?: boolean
}

export interface FuzzResult {
  /** True if all Schemathesis checks passed. */
  ok: boolean
  output: string
}

/** Runs Schemathesis against a running API. Schemathesis generates its requests from the OpenAPI document. */
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
