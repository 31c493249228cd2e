/** Puts the pieces of an upload together as they come: the event loop never gets a piece of work as large as the upload. */
export interface UploadBuffer {
  add(piece: Uint8Array): void
  readonly size: number
  bytes(): Uint8Array<ArrayBuffer>
}

const MIN_BYTES = 65_536
/** Whoever has sent so much may send all that was announced. */
const MIN_TRUSTED_BYTES = 1_048_576

/** @param expected how many bytes are likely to come, no more than are allowed */
export function createUploadBuffer(expected: number): UploadBuffer {
  let whole = Buffer.allocUnsafeSlow(MIN_BYTES)
  let size = 0

  function growTo(needed: number): void {
    if (needed <= whole.byteLength) return
    const next = needed < MIN_TRUSTED_BYTES ? whole.byteLength * 2 : Math.max(whole.byteLength * 2, expected)
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, next))
    whole.copy(larger, 0, 0, size)
    whole = larger
  }

  return {
    add(piece) {
      growTo(size + piece.byteLength)
      whole.set(piece, size)
      size += piece.byteLength
    },
    get size() {
      return size
    },
    bytes: () => whole.subarray(0, size),
  }
}
