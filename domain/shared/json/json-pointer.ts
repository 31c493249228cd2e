import type { Problem } from './json.ts'

/** Escapes a segment of a JSON pointer (RFC 6901). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Unescapes a segment of a JSON pointer. */
export const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Prefixes the pointers of problems in a part, so that they are relative to the whole. */
export const prefixPointers = (at: string, problems: Problem[]): Problem[] =>
  problems.map(({ pointer, message }) => ({ pointer: at + pointer, message }))
