/** `user:ann` is shown as `ann`, `group:finance` as `finance (group)`. */
export function toName(actor: string): string {
  const [kind = '', ...rest] = actor.split(':')
  const name = rest.join(':')
  if (name === '') return actor
  return kind === 'user' ? name : `${name} (${kind})`
}
