const LONGEST = 300

/** A JSON pointer (RFC 6901). What a caller sent may make it absurdly long: it is cut. */
export function pointerOf(path: readonly PropertyKey[]): string {
  const pointer = path.map(key => `/${escaped(String(key))}`).join('')
  return pointer.length > LONGEST ? `${pointer.slice(0, LONGEST)}…` : pointer
}

const escaped = (key: string) => key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
