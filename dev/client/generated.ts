import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateClient } from '../../client/generator/generate.ts'
import type { OpenApiDocument } from '../../client/generator/document.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { renderCommandOperations } from './command-operations.ts'
import { generateChart } from '../reference/chart.ts'
import { generateReference } from '../reference/pages.ts'
import { buildServedApi } from './served-document.ts'

/**
 * Generates the client, the command-line options, the reference pages and the parts of the chart that list settings. Returns the contents by path in the
 * repository.
 */
async function generate(): Promise<Record<string, string>> {
  const { routes, document: served } = buildServedApi()
  const document = served as unknown as OpenApiDocument
  const files = Object.entries(await generateClient(document)).map(([file, text]) => [`client/${file}`, text] as const)
  return {
    ...Object.fromEntries(files),
    'cli/src/generated/operations.ts': renderCommandOperations(document),
    ...(await generateReference(routes, document)),
    ...generateChart(),
  }
}

/** Writes the generated files for the client and the command line. Returns the files that changed. */
export async function writeGenerated(): Promise<string[]> {
  const files = Object.entries(await generate())
  const stale = files.filter(([file, text]) => read(file) !== text)
  for (const [file, text] of stale) write(file, text)
  return stale.map(([file]) => file)
}

/** The types for the OpenAPI document. Git ignores this file, so it is generated when needed. */
const TYPES = 'client/src/generated/api.ts'

/** Writes the client types. Returns the other generated files that are out of date with the routes. */
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
