/** The folder where a client is generated and compiled. */
export interface Workshop {
  /** The file with the OpenAPI document. */
  document: string
  folder: string
}

/** A compiled program that reads from the service with a generated client. */
export interface Program {
  command: string
  args: string[]
  env?: Record<string, string>
}

export interface Generator {
  name: string
  version: string
  /** Additional requirements of the generator, and why they are needed. */
  note?: string
  /** Generates the client, and compiles it with its program. Throws if that fails. */
  build(workshop: Workshop): Promise<Program>
}

export const PROGRAMS = `${import.meta.dirname}/programs`
