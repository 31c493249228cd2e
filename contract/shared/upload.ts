/** Bytes with their sha-256 (hex), which is computed while they are received. */
export interface ReceivedContent {
  bytes: Uint8Array
  sha256: string
}

/** A content among the fields of a request. */
export class Upload implements ReceivedContent {
  readonly bytes: Uint8Array
  readonly sha256: string

  constructor({ bytes, sha256 }: ReceivedContent) {
    this.bytes = bytes
    this.sha256 = sha256
  }
  /** Represents the content when requests are compared. */
  toJSON(): { sha256: string } {
    return { sha256: this.sha256 }
  }
}
