const MAX_NAME_CHARS = 64

/** Pattern of a tool name that all model providers accept. */
export const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/** Converts a text to a tool name: `pets.list all` becomes `pets_list_all`. */
export function toToolName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return (/^[a-zA-Z]/.test(name) ? name : `tool_${name}`).slice(0, MAX_NAME_CHARS).replace(/_+$/, '')
}

/**
 * Returns a function that creates unique tool names, in call order, and adds them to the used names. A duplicate gets
 * a number.
 */
export function createUniqueNamer(usedNames = new Set<string>()): (text: string) => string {
  return text => {
    const base = toToolName(text)
    let name = base
    for (let n = 2; usedNames.has(name); n++) name = `${base.slice(0, MAX_NAME_CHARS - 1 - String(n).length)}_${n}`
    usedNames.add(name)
    return name
  }
}

/** Returns the tool name to use if another tool collection has a tool with the same name. */
export const prefixName = (slug: string, name: string): string =>
  toToolName(`${slug.replaceAll('-', '_').slice(0, Math.max(20, MAX_NAME_CHARS - 1 - name.length))}_${name}`)

/** Slug of the collection of built-in tools, in `deploy/core.json`. */
const BUILTIN_REFLEX = 'builtin'

/** Returns the error message for a reference to a missing tool collection. */
export function missingReflex(reference: string): string {
  const message = `there is no reflex "${reference}"`
  if (reference !== BUILTIN_REFLEX) return message
  return `${message}: create it with POST /v1/reflexes {"title": "Built-in", "slug": "builtin", "source": "builtin"}`
}
