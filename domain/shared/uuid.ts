const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether a uuid column accepts the text. */
export const isUuid = (text: string): boolean => UUID.test(text)
