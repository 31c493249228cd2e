/** Returns the SCIM id of a member or a group: its name in a form that is safe in URLs. */
export const encodeScimId = (name: string): string => Buffer.from(name).toString('base64url')

/** Returns the name of a member or a group, or undefined if the text is not a SCIM id. */
export function decodeScimId(id: string): string | undefined {
  const name = Buffer.from(id, 'base64url').toString()
  return encodeScimId(name) === id && name.isWellFormed() && !name.includes('\0') ? name : undefined
}
