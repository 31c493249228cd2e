import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Document, parseAllDocuments, parseDocument } from 'yaml'
import { usageError } from './exit.ts'
import { type Fields, toCatalog } from './kinds.ts'
import { readStdin } from './terminal.ts'

/** A resource as a file describes it. */
export interface Wanted {
  /** In plural: `pathways`. */
  kind: string
  slug: string
  fields: Fields
  file: string
}

const EXTENSIONS = /\.(ya?ml|json)$/
const PROJECT_FILE = 'ganglion.yaml'

/** Reads the resources of a file, of all files below a folder, or of stdin. A file has one or several documents. */
export async function readWanted(path: string): Promise<Wanted[]> {
  if (path === '-') return parseWanted(await readStdin(), 'stdin')
  if (!existsSync(path)) throw usageError(`${path} does not exist`)
  const wanted = listFiles(path).flatMap(file => parseWanted(readFileSync(file, 'utf8'), file))
  const seen = new Map<string, string>()
  for (const { kind, slug, file } of wanted) {
    const other = seen.get(`${kind}/${slug}`)
    if (other !== undefined) throw usageError(`${kind}/${slug} is in ${other} and in ${file}`)
    seen.set(`${kind}/${slug}`, file)
  }
  return wanted
}

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && name !== PROJECT_FILE)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry =>
      entry.isDirectory()
        ? listFiles(join(path, entry.name))
        : EXTENSIONS.test(entry.name)
          ? [join(path, entry.name)]
          : [],
    )
}

function parseWanted(text: string, file: string): Wanted[] {
  const documents = parseAllDocuments(text) as Document[]
  return documents.flatMap(document => {
    const [problem] = document.errors
    if (problem) throw usageError(`${file}: ${problem.message}`)
    const content: unknown = document.toJS()
    if (content === null || content === undefined) return []
    const { kind, slug, ...fields } = content as Fields
    if (typeof kind !== 'string' || typeof slug !== 'string')
      throw usageError(`${file}: each document needs "kind" and "slug"`)
    return [{ kind: toCatalog(kind), slug, fields, file }]
  })
}

/** Reads a file with one resource of a kind. It need not name the kind, nor a slug. */
export async function readOne(path: string, kind: string): Promise<{ slug?: string; fields: Fields }> {
  if (path !== '-' && !existsSync(path)) throw usageError(`${path} does not exist`)
  const document = parseDocument(path === '-' ? await readStdin() : readFileSync(path, 'utf8'))
  const [problem] = document.errors
  if (problem) throw usageError(`${path}: ${problem.message}`)
  const content: unknown = document.toJS()
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw usageError(`${path} must have the fields of one resource`)
  const { kind: named, slug, ...fields } = content as Fields & { kind?: string; slug?: string }
  if (named !== undefined && toCatalog(named) !== kind) throw usageError(`${path} is of the kind ${named}`)
  return { slug, fields }
}

/** Renders a resource as YAML. What a file had stays where it is, with its comments, unless the value is another one. */
export function renderWanted(kind: string, slug: string, fields: Fields, before?: string): string {
  const document = parseDocument(before ?? '')
  const content = { kind, slug, ...fields }
  if (before === undefined || document.errors.length > 0 || document.contents === null)
    return String(createDocument(content))
  const had = (document.toJS() ?? {}) as Fields
  for (const [name, value] of Object.entries(content))
    if (
      JSON.stringify(sortKeys(had[name])) !== JSON.stringify(sortKeys(value)) &&
      !(name === 'kind' && toCatalog(String(had[name])) === kind)
    )
      document.set(name, value)
  for (const name of Object.keys(had)) if (!(name in content)) document.delete(name)
  return String(document)
}

function createDocument(content: Fields): Document {
  return new Document(content)
}

/** The same value with the keys of its objects in order, for comparisons. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortKeys(part)]),
  )
}
