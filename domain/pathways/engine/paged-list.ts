/** An immutable paged list. A change copies one page instead of the whole list. */
export type PagedList<T> = T[][]

const PAGE_LENGTH = 128

export function createPagedList<T>(length: number, value: T): PagedList<T> {
  return Array.from({ length: Math.ceil(length / PAGE_LENGTH) }, (_, page) =>
    Array.from({ length: Math.min(PAGE_LENGTH, length - page * PAGE_LENGTH) }, () => value),
  )
}

/** Returns a copy with a new value at an existing index. */
export function setAt<T>(pages: PagedList<T>, index: number, value: T): PagedList<T> {
  const number = Math.floor(index / PAGE_LENGTH)
  return pages.with(number, (pages[number] ?? []).with(index % PAGE_LENGTH, value))
}

export function append<T>(pages: PagedList<T>, value: T): PagedList<T> {
  const page = pages.at(-1)
  return page && page.length < PAGE_LENGTH ? [...pages.slice(0, -1), [...page, value]] : [...pages, [value]]
}

export function dropLast<T>(pages: PagedList<T>): PagedList<T> {
  const page = pages.at(-1) ?? []
  return page.length > 1 ? [...pages.slice(0, -1), page.slice(0, -1)] : pages.slice(0, -1)
}

export const findLast = <T>(pages: PagedList<T>): T | undefined => pages.at(-1)?.at(-1)
