/** The open streams of all processes, by the credential that opened them. */
export interface OpenStreams {
  /**
   * Registers a stream unless the credential has as many as the limit. Returns a function that removes the stream, or
   * undefined. Does not throw.
   */
  open(credential: string, limit: number): Promise<(() => void) | undefined>
  /** Ends the renewal. */
  close(): void
}
