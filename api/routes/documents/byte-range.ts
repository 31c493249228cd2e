/** Offsets of the first and the last byte, both inclusive. */
export interface ByteRange {
  from: number
  to: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/i
/** A position with more digits is past the end of any content. */
const DIGITS = 15

/**
 * Parses a `Range` header (RFC 9110, 14.2). Returns undefined for the whole content, including multiple and invalid
 * ranges, and `unsatisfiable` for a range past the end.
 */
export function byteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = SINGLE.exec(header.trim()) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return suffix(position(last), size)
  const [from, to] = [position(first), last === '' ? Infinity : position(last)]
  if (to < from) return undefined
  return from < size ? { from, to: Math.min(to, size - 1) } : 'unsatisfiable'
}

const suffix = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - length), to: size - 1 }

const position = (digits: string): number => (digits.length > DIGITS ? Infinity : Number(digits))
