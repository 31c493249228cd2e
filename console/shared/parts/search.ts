type Readers = Record<string, (value: unknown) => unknown>
type Fields<R extends Readers> = { [Name in keyof R]?: NonNullable<ReturnType<R[Name]>> }

/** Builds what reads the fields of an address. What a reader does not know is left out. */
export const createSearchReader =
  <R extends Readers>(readers: R) =>
  (search: Record<string, unknown>): Fields<R> => {
    const fields = Object.entries(readers).map(([name, read]) => [name, read(search[name])] as const)
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Fields<R>
  }

/** A text; in an address one of digits is a number. */
export const readText = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? `${value}` : undefined

/** A version: a whole number from 1 on. */
export function readVersion(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** A page of a list; the first needs no mention. */
export const readPage = (value: unknown): number | undefined => (value === 1 ? undefined : readVersion(value))

export const PAGE_SIZE = 50

/** What the service is asked for, for a page of a list. */
export const buildPageQuery = (page = 1) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })

/** One of the known values, or of the names of a record. */
export const oneOf =
  <const T extends string>(values: readonly T[] | Readonly<Record<T, unknown>>) =>
  (value: unknown): T | undefined =>
    (Array.isArray(values) ? (values as readonly T[]) : (Object.keys(values) as T[])).find(
      candidate => candidate === readText(value),
    )
