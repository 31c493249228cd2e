import type { ReceivedContent } from '../../services/documents/types.ts'

/** A content that came with a request, among its other fields. */
export class Upload implements ReceivedContent {
  readonly bytes: Uint8Array
  readonly sha256: string

  constructor({ bytes, sha256 }: ReceivedContent) {
    this.bytes = bytes
    this.sha256 = sha256
  }

  /** What stands for it where a request is compared with another. */
  toJSON(): { sha256: string } {
    return { sha256: this.sha256 }
  }
}
