/** A UUID, as a regular expression that JavaScript and Postgres read. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i')

/** Returns whether a uuid column accepts the text. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** Returns the UUIDs that a text contains, in lower case. */
export const listUuids = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(new RegExp(UUID_PATTERN, 'gi')), ([id]) => id.toLowerCase())),
]
