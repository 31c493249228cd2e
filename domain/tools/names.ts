const MAX_NAME_CHARS = 64

/** What every provider of models takes as the name of a tool. */
export const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/** A name made of what others call it: `pets.list all` gives `pets_list_all`. */
export function toToolName(text: string): string {
  const kept = text
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return (/^[a-zA-Z]/.test(kept) ? kept : `tool_${kept}`).slice(0, MAX_NAME_CHARS).replace(/_+$/, '')
}

/** Names in the order in which they come, each once: what is there already gets a number. */
export function createUniqueNamer(): (text: string) => string {
  const taken = new Set<string>()
  return text => {
    const wanted = toToolName(text)
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted.slice(0, MAX_NAME_CHARS - 1 - String(n).length)}_${n}`
    taken.add(name)
    return name
  }
}

/** What a tool is called where another reflex has one of the same name. */
export const toPrefixedName = (slug: string, name: string): string =>
  toToolName(`${slug.replaceAll('-', '_').slice(0, Math.max(20, MAX_NAME_CHARS - 1 - name.length))}_${name}`)
