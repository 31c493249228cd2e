/** Joins the pieces of an upload as they arrive, so that no single operation is as long as the upload. */
export interface UploadBuffer {
  add(piece: Uint8Array): void
  readonly size: number
  bytes(): Uint8Array<ArrayBuffer>
}

const MIN_BYTES = 65_536
/** A sender of so many bytes is trusted to send the announced length, which is then allocated. */
const MIN_TRUSTED_BYTES = 1_048_576

/** @param expected the announced number of bytes, within the limit */
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
