import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isPair, isScalar, LineCounter, parseAllDocuments, parseDocument, stringify, visit } from 'yaml'
import { usageError } from '../shared/exit.ts'
import { type Fields, pluralizeKind } from './kinds.ts'
import { isSame } from './same.ts'
import { readStdin } from '../shared/terminal.ts'
import { replaceValues, type YamlFormat } from './yaml-edits.ts'

/** A resource as defined in a file. */
export interface FileDefinition {
  /** Kind in the plural: `pathways`. */
  kind: string
  slug: string
  fields: Fields
  file: string
}

/** Resources read from files, and the files in the folder that were skipped. */
export interface WantedFiles {
  wanted: FileDefinition[]
  skipped: { file: string; reason: string }[]
}

const EXTENSIONS = /\.(ya?ml|json)$/
const PROJECT_FILE = 'ganglion.yaml'

/**
 * Reads resources from a file, from all files in a folder and its subfolders, or from stdin. A file may contain
 * several documents.
 */
export async function readWanted(path: string): Promise<WantedFiles> {
  if (path === '-') return { wanted: parseWanted(await readStdin(), 'stdin'), skipped: [] }
  if (!existsSync(path)) throw usageError(`${path} does not exist`)
  const files = listFiles(path).map(file => ({ file, reason: findSkipReason(file, file === path) }))
  const skipped = files.flatMap(({ file, reason }) => (reason === undefined ? [] : [{ file, reason }]))
  const definitions: FileDefinition[] = []
  for (const { file, reason } of files) {
    if (reason !== undefined) continue
    const resources = parseWanted(readFileSync(file, 'utf8'), file)
    if (resources.length === 0) skipped.push({ file, reason: 'empty file' })
    definitions.push(...resources)
  }
  const fileByName = new Map<string, string>()
  for (const { kind, slug, file } of definitions) {
    const other = fileByName.get(`${kind}/${slug}`)
    if (other !== undefined) throw usageError(`${kind}/${slug} is defined in both ${other} and ${file}`)
    fileByName.set(`${kind}/${slug}`, file)
  }
  return { wanted: definitions, skipped }
}

/** Returns why a file in a folder is skipped. A file that is passed by name is never skipped. */
function findSkipReason(file: string, isNamed: boolean): string | undefined {
  if (isNamed) return undefined
  if (basename(file).startsWith('.')) return 'name starts with a dot'
  return EXTENSIONS.test(file) ? undefined : 'not a .yaml, .yml or .json file'
}

const IGNORED_FOLDERS = new Set(['node_modules', '.git'])

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !IGNORED_FOLDERS.has(name) && name !== PROJECT_FILE)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const below = join(path, entry.name)
      return entry.isDirectory() && !entry.name.startsWith('.') ? listFiles(below) : [below]
    })
}

function parseWanted(text: string, file: string): FileDefinition[] {
  const lineCounter = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter }) as Document[]
  return documents.flatMap(document => {
    const content = readContent(document, lineCounter, file)
    if (content === null || content === undefined) return []
    const { kind, slug, ...fields } = content as Fields
    if (typeof kind !== 'string' || typeof slug !== 'string')
      throw usageError(`${file}: each document needs the fields "kind" and "slug"`)
    return [{ kind: pluralizeKind(kind), slug, fields, file }]
  })
}

function readContent(document: Document, lines: LineCounter, file: string): unknown {
  const [problem] = document.errors
  if (problem) throw usageError(`${file}: ${problem.message}`)
  visit(document, {
    Scalar(_, { value, source = '', range }, path) {
      if (typeof value !== 'number' || isExact(value, source) || isBound(path.at(-1))) return
      const { line } = lines.linePos(range?.[0] ?? 0)
      throw usageError(`${file}: line ${line}: the number ${source} would lose digits. Put it in quotes`)
    },
  })
  return document.toJS()
}

/** Whether JSON can represent exactly the same number. */
const isExact = (value: number, source: string): boolean =>
  /^[-+\d.]+e/i.test(source) ? Number.isFinite(value) : Number.isSafeInteger(Math.trunc(value))

/**
 * Whether a value is a bound in a schema. JSON Schemas and OpenAPI documents may contain the bounds of 64-bit
 * integers, which the service accepts.
 */
const isBound = (pair: unknown): boolean =>
  isPair(pair) && isScalar(pair.key) && /^(exclusive)?m(in|ax)imum$/i.test(String(pair.key.value))

/** Reads a file that contains one resource of a kind. `kind` and `slug` are optional in the file. */
export async function readOne(path: string, kind: string): Promise<{ slug?: string; fields: Fields }> {
  if (path !== '-' && !existsSync(path)) throw usageError(`${path} does not exist`)
  const lineCounter = new LineCounter()
  const document = parseDocument(path === '-' ? await readStdin() : readFileSync(path, 'utf8'), { lineCounter })
  const content = readContent(document, lineCounter, path)
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw usageError(`${path} must contain the fields of a single resource`)
  const { kind: named, slug, ...fields } = content as Fields & { kind?: string; slug?: string }
  if (named !== undefined && pluralizeKind(named) !== kind)
    throw usageError(`${path} contains a resource of the kind ${named}`)
  return { slug, fields }
}

/** Quotes values such as `on` and `no`, which YAML 1.1 parsers read as booleans, and disables line folding. */
const FORMAT: YamlFormat = { compat: 'yaml-1.1', lineWidth: 0 }

/**
 * Renders a resource as YAML. If the previous text is given, replaces only changed values, and keeps all other lines
 * and comments.
 */
export function renderWanted(kind: string, slug: string, fields: Fields, before?: string): string {
  const content = { kind, slug, ...fields }
  const document = parseDocument(before ?? '', FORMAT)
  const former: unknown = document.errors.length > 0 ? undefined : document.toJS()
  if (before === undefined || typeof former !== 'object' || former === null) return stringify(content, FORMAT)
  const { kind: formerKind } = former as Fields
  // The file may use the singular form of the kind.
  const isSingular = typeof formerKind === 'string' && pluralizeKind(formerKind) === kind
  const newFields: Fields = isSingular ? { ...content, kind: formerKind } : content
  return replaceValues(before, newFields, FORMAT) ?? replaceFields(document, former as Fields, newFields)
}

function replaceFields(document: Document, former: Fields, newFields: Fields): string {
  for (const [name, value] of Object.entries(newFields)) if (!isSame(former[name], value)) document.set(name, value)
  for (const name of Object.keys(former)) if (!(name in newFields)) document.delete(name)
  return document.toString(FORMAT)
}
