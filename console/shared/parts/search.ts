type Readers = Record<string, (value: unknown) => unknown>
type Fields<R extends Readers> = { [Name in keyof R]?: NonNullable<ReturnType<R[Name]>> }

/** Creates a reader for search parameters. Drops parameters that their reader rejects. */
export const createSearchReader =
  <R extends Readers>(readers: R) =>
  (search: Record<string, unknown>): Fields<R> => {
    const fields = Object.entries(readers).map(([name, read]) => [name, read(search[name])] as const)
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Fields<R>
  }

/** Reads a text parameter. Accepts numbers, because the router parses digits as a number. */
export const readText = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? `${value}` : undefined

/** Reads a version number: a positive integer. */
export function readVersion(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** Reads a page number. The first page is omitted. */
export const readPage = (value: unknown): number | undefined => (value === 1 ? undefined : readVersion(value))

export const PAGE_SIZE = 50

/** Builds the query of a list page. */
export const buildPageQuery = (page = 1) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })

/** Creates a reader that accepts only the known values, or the keys of a record. */
export const oneOf =
  <const T extends string>(values: readonly T[] | Readonly<Record<T, unknown>>) =>
  (value: unknown): T | undefined =>
    (Array.isArray(values) ? (values as readonly T[]) : (Object.keys(values) as T[])).find(
      candidate => candidate === readText(value),
    )
