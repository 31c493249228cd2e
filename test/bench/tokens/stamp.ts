const STAMP = /@(\d+)@/g

/** A token's text that says when it was published, by the clock that all processes of a machine share. */
export const stampedToken = (): string => `@${process.hrtime.bigint()}@`

/** How long ago each token in a piece of a stream was published, in milliseconds. */
export function agesIn(text: string): number[] {
  const now = process.hrtime.bigint()
  return Array.from(text.matchAll(STAMP), ([, at = '0']) => Number(now - BigInt(at)) / 1e6)
}
