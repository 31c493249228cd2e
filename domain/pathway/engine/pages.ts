/**
 * A long list in pages. The state is never changed, only copied; with pages a change copies one of them and not the
 * whole list, so ten thousand items cost ten thousand small steps.
 */
export type Pages<T> = T[][]

const PAGE = 128

export function pagesOf<T>(length: number, value: T): Pages<T> {
  return Array.from({ length: Math.ceil(length / PAGE) }, (_, page) =>
    Array.from({ length: Math.min(PAGE, length - page * PAGE) }, () => value),
  )
}

/** A copy with another value at an index the list has. */
export function withValue<T>(pages: Pages<T>, index: number, value: T): Pages<T> {
  const number = Math.floor(index / PAGE)
  return pages.with(number, (pages[number] ?? []).with(index % PAGE, value))
}

export function withLast<T>(pages: Pages<T>, value: T): Pages<T> {
  const page = pages.at(-1)
  return page && page.length < PAGE ? [...pages.slice(0, -1), [...page, value]] : [...pages, [value]]
}

export function withoutLast<T>(pages: Pages<T>): Pages<T> {
  const page = pages.at(-1) ?? []
  return page.length > 1 ? [...pages.slice(0, -1), page.slice(0, -1)] : pages.slice(0, -1)
}

export const lastOf = <T>(pages: Pages<T>): T | undefined => pages.at(-1)?.at(-1)
