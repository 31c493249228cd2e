import type { Problem } from './json.ts'

/** Escapes one step of a JSON pointer (RFC 6901). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** The key a step of a JSON pointer stands for. */
export const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Problems of a part, as problems of the whole: their pointers begin with the part's place. */
export const prefixPointers = (at: string, problems: Problem[]): Problem[] =>
  problems.map(({ pointer, message }) => ({ pointer: at + pointer, message }))
