/** Type names in messages. */
export const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const PARTS: Record<string, [singular: string, plural: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['field', 'fields'],
}

/** Describes a bound of a number, or of the length of a string, list or object. */
export function describeBound(
  { origin, exact }: { origin: string; exact?: boolean },
  bound: number | bigint,
  words: string,
): string {
  const parts = PARTS[origin]
  if (!parts) return `must ${words} ${bound}`
  return `must have ${exact ? 'exactly' : words.replace('be ', '')} ${bound} ${parts[Number(bound) === 1 ? 0 : 1]}`
}

export const describeOptions = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`
