/** Returns each distinct `pattern` in the schemas, at any depth. */
export const findPatterns = (part: unknown): string[] => [...new Set(listPatterns(part))]

function listPatterns(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const ownPatterns = 'pattern' in part && typeof part.pattern === 'string' ? [part.pattern] : []
  return [...ownPatterns, ...Object.values(part).flatMap(listPatterns)]
}
