const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** Normalizes an attribute's path. Names are case-insensitive, and can have their schema as a prefix. */
export const normalizeAttribute = (path: string): string => path.trim().toLowerCase().replace(SCHEMA, '')
