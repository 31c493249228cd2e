/** `user:ann` is shown as `ann`, `group:finance` as `finance (group)`. */
export function formatActor(actor: string): string {
  const [kind, name] = splitRef(actor)
  if (name === '') return actor
  return kind === 'user' ? name : `${name} (${kind})`
}

/** The kind and the name in `user:ann`, `folder:/contracts` or `neuron:clerk`. */
export function splitRef(ref: string): [kind: string, name: string] {
  const [kind = '', ...rest] = ref.split(':')
  return [kind, rest.join(':')]
}

/** `ann`, as people write it, is `user:ann`; `group:finance` is itself. */
export const qualifyActor = (name: string): string => (name.includes(':') ? name : `user:${name}`)

/** `due_date` is shown as `Due date`. */
export function formatLabel(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1)
}

/** `target_missing` is shown as `target missing`. */
export const replaceUnderscores = (name: string): string => name.replaceAll('_', ' ')

/** `1 problem`, `3 problems`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Cents, and their parts where there are few of them. */
export const formatUsd = (usd: number): string => (usd === 0 ? '$0' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`)
