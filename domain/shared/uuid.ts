const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns true for a text that a uuid column accepts. */
export const isUuid = (text: string): boolean => UUID.test(text)
