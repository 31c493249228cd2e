/** Rules for operator and workspace secrets. */

export const MAX_SECRET_CHARS = 10_000
/** Characters that a header can contain. */
export const SECRET_VALUE = /^[\x20-\x7e\x80-\xff]*$/
/** `host` or `host:port`, as in URLs. */
export const SECRET_HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
/** Name of a workspace secret. Operators may use other names, too. */
export const SECRET_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/
