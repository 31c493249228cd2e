import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy, { type Busboy } from 'busboy'
import { AppError, type PayloadTooLarge, ValidationError } from '../../domain/errors.ts'
import { assertStorable } from '../../domain/json-parsing/json-shape.ts'
import { Upload } from './upload.ts'
import { createUploadBuffer } from './upload-buffer.ts'

/** The part with the file, and the field whose text is JSON. */
const FILE = 'file'
const JSON_FIELD = 'metadata'

const MAX_FIELD_BYTES = 65_536
const MAX_FIELDS = 20

interface Bounds {
  /** Of the file. */
  maxBytes: number
  tooLarge: () => PayloadTooLarge
}

/**
 * Reads a form with one file into an object as a JSON body would be: its fields, `file` as an Upload, and the file's own
 * name and type where no field gives them.
 */
export async function readForm(
  req: IncomingMessage,
  body: AsyncIterable<Buffer>,
  bounds: Bounds,
): Promise<Record<string, unknown>> {
  const form = parserFor(req)
  const parts = new Map<string, unknown>()
  const about: Record<string, unknown> = {}
  const refuse = (error: AppError) => form.destroy(error)
  const put = (name: string, value: unknown) => {
    if (parts.has(name)) refuse(problem(name, 'must be sent only once'))
    parts.set(name, value)
  }

  form.on('field', (name, value, { nameTruncated, valueTruncated }) => {
    if (nameTruncated || valueTruncated) refuse(problem(name, `must have at most ${MAX_FIELD_BYTES} bytes`))
    else put(name, value)
  })
  form.on('file', (name, stream, { filename, mimeType }) => {
    if (name !== FILE) refuse(problem(name, `must not be a file; the file is the part "${FILE}"`))
    // Browsers escape this character in file names.
    if (filename) about['file_name'] = filename.replaceAll('%22', '"')
    about['mime_type'] = mimeType
    collect(stream, expectedBytes(req, bounds), bounds, refuse, file => put(name, file))
  })
  form.on('filesLimit', () => refuse(problem(FILE, 'must be sent only once')))
  for (const event of ['fieldsLimit', 'partsLimit'] as const)
    form.on(event, () => refuse(new ValidationError(`A form may have at most ${MAX_FIELDS} fields`)))

  await pipeline(body, form).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    throw new ValidationError('The body is not a complete multipart/form-data')
  })
  return { ...about, ...parseFields(parts) }
}

function parserFor(req: IncomingMessage): Busboy {
  const limits = { files: 1, fields: MAX_FIELDS, parts: MAX_FIELDS + 2, fieldSize: MAX_FIELD_BYTES, headerPairs: 20 }
  try {
    return busboy({ headers: req.headers, limits, defParamCharset: 'utf8' })
  } catch {
    throw new ValidationError('The Content-Type multipart/form-data needs a boundary')
  }
}

const expectedBytes = (req: IncomingMessage, { maxBytes }: Bounds): number =>
  Math.min(Number(req.headers['content-length'] ?? 0), maxBytes)

function collect(
  stream: Readable,
  expected: number,
  { maxBytes, tooLarge }: Bounds,
  refuse: (error: AppError) => void,
  done: (file: Upload) => void,
): void {
  const buffer = createUploadBuffer(expected)
  const hash = createHash('sha256')
  stream.on('data', (piece: Buffer) => {
    if (buffer.size + piece.byteLength > maxBytes) return refuse(tooLarge())
    buffer.add(piece)
    hash.update(piece)
  })
  // The form as a whole is refused when it is incomplete.
  stream.on('error', () => undefined)
  stream.on('end', () => done(new Upload({ bytes: buffer.bytes(), sha256: hash.digest('hex') })))
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
    return JSON.parse(text)
  } catch {
    throw problem(JSON_FIELD, 'must be JSON')
  }
}

function problem(field: string, message: string): ValidationError {
  const name = field.slice(0, 100).toWellFormed()
  return new ValidationError(`Invalid request: /${name} ${message}`, [{ pointer: `/${name}`, message }])
}
