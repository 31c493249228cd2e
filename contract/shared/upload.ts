/** Bytes and their SHA-256 (hex), which is computed as they arrive. */
export interface ReceivedContent {
  bytes: Uint8Array
  sha256: string
}

/** Uploaded content in a request field. */
export class Upload implements ReceivedContent {
  readonly bytes: Uint8Array
  readonly sha256: string

  constructor({ bytes, sha256 }: ReceivedContent) {
    this.bytes = bytes
    this.sha256 = sha256
  }
  /** Returns the content's hash, which represents the content when two requests are compared. */
  toJSON(): { sha256: string } {
    return { sha256: this.sha256 }
  }
}
