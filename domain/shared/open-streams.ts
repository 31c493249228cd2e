/** The open streams of all processes, by credential. */
export interface OpenStreams {
  /**
   * Registers a stream unless the credential has reached the limit. Returns a function that removes the stream, or
   * undefined at the limit. Does not throw.
   */
  open(credential: string, limit: number): Promise<(() => void) | undefined>
  /** Stops renewing the registrations. */
  close(): void
}
