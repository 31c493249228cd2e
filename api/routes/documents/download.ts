import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { z } from 'zod'
import type { AppError } from '../../../domain/shared/errors.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import type { Reply } from '../../routing/reply.ts'
import type { AppContext } from '../../routing/state.ts'
import type { Download } from '../../../services/documents/download.ts'
import type { ResponseSpec } from '../../routing/route.ts'
import { byteRange, type ByteRange } from './byte-range.ts'

const bytes = z.string().meta({ format: 'binary' })

/** Responses for content downloads. */
export const downloadResponses: Record<number, ResponseSpec> = {
  200: { description: 'The content in its own media type', schema: bytes, mediaType: '*/*' },
  206: { description: 'The part selected by `Range`', schema: bytes, mediaType: '*/*' },
  304: { description: 'The content matches `If-None-Match`' },
  416: { description: 'The range starts beyond the end of the content', schema: errorBody },
}

export const ABOUT_DOWNLOAD =
  'Returns the content as a file. `ETag` is its SHA-256. Supports `If-None-Match` and a single `Range` in bytes.'

/** Media types that a page from this origin could load as a script or style sheet, regardless of other headers. */
const EXECUTABLE = /^(?:text|application)\/(?:(?:x-)?(?:java|ecma)script[\d.]*|jscript|livescript|css)(?=;|$)/i

/**
 * Sends content as an attachment, never for display or execution, because its bytes are untrusted. The caller may
 * cache the content, but must revalidate it before each use.
 */
export function downloadReply(ctx: AppContext, download: Download): Reply {
  const { size, sha256 } = download
  const headers = {
    ETag: `"${sha256}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': contentDisposition(download.file_name),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-site',
  }
  if (isKnown(ctx, headers.ETag)) return { status: 304, headers }
  const range = ifRangeHolds(ctx, headers.ETag) ? byteRange(ctx.get('Range'), size) : undefined
  if (range === 'unsatisfiable') return unsatisfiable(size)
  const all = { ...headers, 'Content-Type': download.content_type.replace(EXECUTABLE, 'text/plain') }
  if (!range)
    return { status: 200, headers: { ...all, ...buildLengthHeader(0, size - 1) }, body: openBody(ctx, download) }
  const { from, to } = range
  const part = { ...all, ...buildLengthHeader(from, to), 'Content-Range': `bytes ${from}-${to}/${size}` }
  return { status: 206, headers: part, body: openBody(ctx, download, range) }
}

const buildLengthHeader = (from: number, to: number) => ({ 'Content-Length': String(to - from + 1) })

/** Returns whether `If-None-Match` contains the entity tag, by weak comparison (RFC 9110, 13.1.2). */
function isKnown(ctx: AppContext, etag: string): boolean {
  const tags = ctx.get('If-None-Match').split(',')
  return tags.some(tag => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * Returns whether the `If-Range` header still matches. A range is sent only for the version that the caller has
 * partially downloaded.
 */
function ifRangeHolds(ctx: AppContext, etag: string): boolean {
  const condition = ctx.get('If-Range').trim()
  return condition === '' || condition === etag
}

function openBody(ctx: AppContext, { read, size }: Download, range: ByteRange = { from: 0, to: size - 1 }): Readable {
  // A HEAD request reads only the record, not the content.
  return ctx.method === 'HEAD' ? Readable.from([]) : Readable.from(read(range.from, range.to), { objectMode: false })
}

function unsatisfiable(size: number): Reply {
  const body: Pick<AppError, 'message' | 'code'> = {
    message: `The range must be within the ${size} bytes of the content`,
    code: 'RANGE_NOT_SATISFIABLE',
  }
  return { status: 416, headers: { 'Content-Range': `bytes */${size}` }, body }
}
