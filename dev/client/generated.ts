import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateClient } from '../../client/generator/generate.ts'
import type { OpenApiDocument } from '../../client/generator/document.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { renderCommandOperations } from './command-operations.ts'
import { buildServedDocument } from './served-document.ts'

/** Generates the files of the client and of the command line, by their path in the repository. */
async function generate(): Promise<Record<string, string>> {
  const document = buildServedDocument() as unknown as OpenApiDocument
  const files = Object.entries(await generateClient(document)).map(([file, text]) => [`client/${file}`, text] as const)
  return {
    ...Object.fromEntries(files),
    'cli/src/generated/operations.ts': renderCommandOperations(document),
  }
}

/** Writes what the client and the command line have of the OpenAPI document. Returns the files that changed. */
export async function writeGenerated(): Promise<string[]> {
  const files = Object.entries(await generate())
  const stale = files.filter(([file, text]) => read(file) !== text)
  for (const [file, text] of stale) write(file, text)
  return stale.map(([file]) => file)
}

/** The types of the document. Git ignores this file, so it is written wherever it is needed. */
const TYPES = 'client/src/generated/api.ts'

/** Writes the types of the client. Lists the other generated files that are not those of the routes. */
export async function writeTypes(): Promise<string[]> {
  const { [TYPES]: types = '', ...tracked } = await generate()
  if (read(TYPES) !== types) write(TYPES, types)
  return Object.entries(tracked).flatMap(([file, text]) => (read(file) === text ? [] : [file]))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(CHECKOUT, file)), { recursive: true })
  writeFileSync(join(CHECKOUT, file), text)
}

function read(file: string): string | undefined {
  const path = join(CHECKOUT, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
