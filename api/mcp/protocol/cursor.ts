import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** A list cursor encodes the number of entries to skip, so it needs no server state. */
export const encodeCursor = (offset: number): string => Buffer.from(`o${offset}`).toString('base64url')

/** Throws a protocol error for a cursor that Ganglion did not create. */
export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [, digits] = /^o(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (digits === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not valid')
  return Number(digits)
}

/** The cursor of the next page, if there is one. */
export const nextCursor = (offset: number, count: number, total: number) =>
  count > 0 && offset + count < total ? { nextCursor: encodeCursor(offset + count) } : {}
