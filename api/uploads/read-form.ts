import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import {
  MaxFileSizeExceededError,
  MaxPartsExceededError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { AppError, type PayloadTooLarge, ValidationError } from '../../domain/shared/errors.ts'
import { invalidRequestError } from '../../domain/shared/invalid-request.ts'
import { assertStorable } from '../../domain/shared/json/parsing/json-shape.ts'
import { parseMarked } from '../../domain/shared/json/parsing/parse-json.ts'
import { computeSha256 } from '../../services/resources/content.ts'
import { Upload } from '../../contract/shared/upload.ts'

/** Names of the part that contains the file and of the field that contains JSON text. */
const FILE = 'file'
const JSON_FIELD = 'metadata'

const MAX_FIELD_BYTES = 65_536
const MAX_FIELDS = 20
/**
 * Small chunks are joined into blocks of this size, so that tiny chunks don't take up many times their size in
 * memory.
 */
const BLOCK_BYTES = 65_536

interface Bounds {
  /** Maximum size of the file. */
  maxBytes: number
  tooLarge: () => PayloadTooLarge
}

/**
 * Reads a form with one file into an object with the same fields as a JSON body. The object has the form fields and
 * `file` as an Upload. It also has the file's name and type, unless form fields set them.
 */
export async function readForm(
  req: IncomingMessage,
  body: AsyncIterable<Buffer>,
  { maxBytes, tooLarge }: Bounds,
): Promise<Record<string, unknown>> {
  const parser = new MultipartParser(readBoundary(req), {
    maxFileSize: maxBytes,
    maxParts: MAX_FIELDS + 1,
    maxTotalSize: Infinity,
  })
  const parts = new Map<string, unknown>()
  const file: Record<string, unknown> = {}
  try {
    for await (const block of joinToBlocks(body))
      // Bytes after the last part are ignored.
      if (!isComplete(parser))
        for (const part of parser.write(block)) {
          const { name = '' } = part
          if (parts.has(name)) throw formError(name, 'must be sent only once')
          if (part.isFile) Object.assign(file, describeFile(part))
          parts.set(name, part.isFile ? await readFile(part) : readField(part))
        }
    parser.finish()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof MaxFileSizeExceededError) throw tooLarge()
    if (error instanceof MaxPartsExceededError)
      throw new ValidationError(`A form may have at most ${MAX_FIELDS} fields`)
    throw new ValidationError('The multipart/form-data body is incomplete')
  }
  return { ...file, ...parseFields(parts) }
}

function readBoundary({ headers }: IncomingMessage): string {
  const boundary = parseType(headers['content-type'])?.params.get('boundary')
  if (!boundary) throw new ValidationError('Add a boundary to the Content-Type multipart/form-data')
  return boundary
}

function parseType(contentType = ''): MIMEType | undefined {
  try {
    return new MIMEType(contentType)
  } catch {
    return undefined
  }
}

async function* joinToBlocks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.byteLength
    if (size < BLOCK_BYTES) continue
    yield Buffer.concat(pieces, size)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces, size)
}

/**
 * Returns whether the form is complete. The parser throws for incomplete forms, but also for bytes after a complete
 * form.
 */
function isComplete(parser: MultipartParser): boolean {
  try {
    parser.finish()
    return true
  } catch {
    return false
  }
}

/**
 * Returns the file name without folders, and the media type with its parameters. The type is undefined if the part
 * has none.
 */
function describeFile({ filename = '', headers }: MultipartPart): Record<string, unknown> {
  // Browsers escape double quotes in file names.
  const file_name = filename.split(/[/\\]/).at(-1)?.replaceAll('%22', '"')
  const mime_type = headers['content-type']
  return { ...(file_name && { file_name }), ...(mime_type && { mime_type }) }
}

async function readFile(part: MultipartPart): Promise<Upload> {
  const { name = '', bytes } = part
  if (name !== FILE) throw formError(name, `must not be a file. Send the file in the part "${FILE}"`)
  return new Upload({ bytes, sha256: await computeSha256(bytes) })
}

function readField(part: MultipartPart): string {
  const { name = '', size } = part
  if (Math.max(size, Buffer.byteLength(name)) > MAX_FIELD_BYTES)
    throw formError(name, `must have at most ${MAX_FIELD_BYTES} bytes`)
  try {
    return part.text
  } catch {
    throw formError(name, 'must be UTF-8')
  }
}

function parseFields(parts: Map<string, unknown>): Record<string, unknown> {
  const { [FILE]: file, ...fields } = Object.fromEntries(parts)
  const text = fields[JSON_FIELD]
  if (typeof text === 'string') fields[JSON_FIELD] = parseMetadata(text)
  assertStorable(fields)
  return { ...fields, ...(parts.has(FILE) && { [FILE]: file }) }
}

function parseMetadata(text: string): unknown {
  try {
    return parseMarked(text)
  } catch {
    throw formError(JSON_FIELD, 'must be JSON')
  }
}

function formError(field: string, message: string): ValidationError {
  const name = field.slice(0, 100).toWellFormed()
  return invalidRequestError([{ pointer: `/${name}`, message }])
}
