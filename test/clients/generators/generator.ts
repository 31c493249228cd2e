/** Where a client is generated and compiled. */
export interface Workshop {
  /** The file of the OpenAPI document. */
  document: string
  folder: string
}

/** A compiled program that reads from the service by a generated client. */
export interface Program {
  command: string
  args: string[]
  env?: Record<string, string>
}

export interface Generator {
  name: string
  version: string
  /** What the generator needs beyond the document, with the reason. */
  note?: string
  /** Generates the client, and compiles all of it with its program. Throws where that fails. */
  build(workshop: Workshop): Promise<Program>
}

export const PROGRAMS = `${import.meta.dirname}/programs`
