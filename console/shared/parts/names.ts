/** Formats `user:ann` as `ann`, and `group:finance` as `finance (group)`. */
export function formatActor(actor: string): string {
  const [kind, name] = splitRef(actor)
  if (name === '') return actor
  return kind === 'user' ? name : `${name} (${kind})`
}

/** Splits `user:ann`, `folder:/contracts` or `neuron:clerk` into kind and name. */
export function splitRef(ref: string): [kind: string, name: string] {
  const [kind = '', ...rest] = ref.split(':')
  return [kind, rest.join(':')]
}

/** Adds the prefix `user:` to a plain name such as `ann`. `group:finance` stays unchanged. */
export const qualifyActor = (name: string): string => (name.includes(':') ? name : `user:${name}`)

export const isGroupName = (actor: string): boolean => splitRef(actor)[0] === 'group'

/** Formats `due_date` as `Due date`. */
export function formatLabel(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1)
}

/** Formats `target_missing` as `target missing`. */
export const replaceUnderscores = (name: string): string => name.replaceAll('_', ' ')

/**
 * Formats a count with its noun: `1 problem`, `3 problems`.
 * @param text the count as text, such as `99+`
 */
export const formatCount = (count: number, noun: string, text = String(count)): string =>
  `${text} ${noun}${count === 1 ? '' : 's'}`

/** Formats USD in cents, with more decimal places for small amounts. */
export const formatUsd = (usd: number): string => (usd === 0 ? '$0' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`)
