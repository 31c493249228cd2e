/** Maximum length of a DNS host name, with a wildcard. */
export const MAX_HOST_CHARS = 255

/** A host name, an IP address, or a host name after the wildcard `*.`, optionally with a port. */
export const HOST_PATTERN =
  /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[0-9]{1,5})?$|^\[[0-9a-f:.]{2,45}\](?::[0-9]{1,5})?$/
export const HOST_RULE = 'must be a lower-case host, such as api.example.com, *.example.com or 127.0.0.1:4010'

/**
 * Returns whether a list permits the host of a URL. `*.example.com` permits all names below `example.com`. An entry
 * without a port permits only the default port of the URL.
 */
export function permitsHost(allowed: readonly string[], { hostname, port }: URL): boolean {
  const suffix = port === '' ? '' : `:${port}`
  const name = hostname.replace(/\.$/, '')
  return allowed.some(entry => {
    if (!entry.startsWith('*.')) return name + suffix === entry
    const parent = entry.slice(1)
    return (name + suffix).endsWith(parent) && name.length + suffix.length > parent.length
  })
}
