const STAMP = /@(\d+)@/g

/** Returns a token text with its publishing time, based on the clock that all processes on a machine share. */
export const stampedToken = (): string => `@${process.hrtime.bigint()}@`

/** Returns the age in milliseconds of each token in a chunk of a stream. */
export function agesIn(text: string): number[] {
  const now = process.hrtime.bigint()
  return Array.from(text.matchAll(STAMP), ([, at = '0']) => Number(now - BigInt(at)) / 1e6)
}
