import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateClient } from '../../client/generator/generate.ts'
import type { OpenApiDocument } from '../../client/generator/document.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { buildServedDocument } from './served-document.ts'

const CLIENT = join(CHECKOUT, 'client')

const generate = () => generateClient(buildServedDocument() as unknown as OpenApiDocument)

/** Writes what the client has of the OpenAPI document. Returns the files that changed. */
export async function writeGenerated(): Promise<string[]> {
  const files = Object.entries(await generate())
  const stale = files.filter(([file, text]) => read(file) !== text)
  for (const [file, text] of stale) writeFileSync(join(CLIENT, file), text)
  return stale.map(([file]) => file)
}

/** The types of the document. Git ignores this file, so it is written wherever it is needed. */
const TYPES = 'src/generated/api.ts'

/** Writes the types of the client. Lists the other generated files that are not those of the routes. */
export async function writeTypes(): Promise<string[]> {
  const { [TYPES]: types = '', ...tracked } = await generate()
  if (read(TYPES) !== types) writeFileSync(join(CLIENT, TYPES), types)
  return Object.entries(tracked).flatMap(([file, text]) => (read(file) === text ? [] : [`client/${file}`]))
}

function read(file: string): string | undefined {
  const path = join(CLIENT, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
