import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { AppError } from '../../../domain/errors.ts'
import type { Download } from '../../../services/documents/types.ts'
import type { Reply } from '../../routing/reply.ts'
import type { AppContext } from '../../routing/state.ts'
import { byteRange, type ByteRange } from './byte-range.ts'

/**
 * Sends a content as a file to be kept, never shown: what is in it is anybody's. The caller's own cache may keep it as
 * long as it asks each time whether it is still this one.
 */
export function downloadReply(ctx: AppContext, download: Download): Reply {
  const { size, sha256 } = download
  const headers = {
    ETag: `"${sha256}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': contentDisposition(download.file_name),
    'Content-Security-Policy': "sandbox; default-src 'none'",
  }
  if (isKnown(ctx, headers.ETag)) return { status: 304, headers }
  const range = ifRangeHolds(ctx, headers.ETag) ? byteRange(ctx.get('Range'), size) : undefined
  if (range === 'unsatisfiable') return unsatisfiable(size)
  const all = { ...headers, 'Content-Type': download.content_type }
  if (!range) return { status: 200, headers: { ...all, ...lengthOf(0, size - 1) }, body: bodyOf(ctx, download) }
  const { from, to } = range
  const part = { ...all, ...lengthOf(from, to), 'Content-Range': `bytes ${from}-${to}/${size}` }
  return { status: 206, headers: part, body: bodyOf(ctx, download, range) }
}

const lengthOf = (from: number, to: number) => ({ 'Content-Length': String(to - from + 1) })

/** The list of tags in `If-None-Match`; they are compared weakly (RFC 9110, 13.1.2). */
function isKnown(ctx: AppContext, etag: string): boolean {
  const tags = ctx.get('If-None-Match').split(',')
  return tags.some(tag => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/** A range of another version than the caller has the rest of would be of no use. */
function ifRangeHolds(ctx: AppContext, etag: string): boolean {
  const condition = ctx.get('If-Range').trim()
  return condition === '' || condition === etag
}

function bodyOf(ctx: AppContext, { read, size }: Download, range: ByteRange = { from: 0, to: size - 1 }): Readable {
  // A HEAD request is answered from the record alone.
  return ctx.method === 'HEAD' ? Readable.from([]) : Readable.from(read(range.from, range.to), { objectMode: false })
}

function unsatisfiable(size: number): Reply {
  const body: Pick<AppError, 'message' | 'code'> = {
    message: `The range must be within the ${size} bytes of the content`,
    code: 'RANGE_NOT_SATISFIABLE',
  }
  return { status: 416, headers: { 'Content-Range': `bytes */${size}` }, body }
}
