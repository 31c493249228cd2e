export const MAX_SLUG_CHARS = 80
/** Length of the slug prefix that is kept when another slug is derived from it. */
const KEPT_CHARS = 60
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns the problem with a slug as the end of a sentence, or undefined. */
export function slugProblem(slug: string): string | undefined {
  if (slug.length > MAX_SLUG_CHARS) return `must have at most ${MAX_SLUG_CHARS} characters`
  if (!SLUG.test(slug)) return 'must contain only lower-case letters and digits, with single hyphens between them'
  if (UUID.test(slug)) return 'must not look like an id'
  return undefined
}

/**
 * Converts a title to a slug: `Größe & Preis!` becomes `grosse-preis`, and an id loses its hyphens. Returns '' if no
 * character remains.
 */
export function toSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^-+|-+$/g, '')
  return UUID.test(slug) ? slug.replaceAll('-', '') : slug
}

/** Derives a resource's slug from its title. If the result is empty, uses a word and part of the id. */
export const deriveSlug = (title: string, word: string, id: string): string =>
  toSlug(title) || createUniqueSlug(word, id)

/** Returns a slug that no other resource has. */
export const createUniqueSlug = (slug: string, id: string): string =>
  `${slug.slice(0, KEPT_CHARS).replace(/-$/, '')}-${id.slice(-8)}`
