import { ApiPromise, type ApiResponse } from './api-promise.ts'

/** The API response to a list request. */
export type ListReply<T> = { pagination: Position; data: T[] } | (Position & { jobs: T[] })

interface Position {
  total: number
  limit: number
  offset: number
}

/** One page of a list. */
export class Page<T> {
  readonly data: T[]
  /** Number of elements in the whole list when this page was requested. */
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly #load: LoadPage<T>

  constructor(reply: ListReply<T>, load: LoadPage<T>) {
    const { total, limit, offset } = 'pagination' in reply ? reply.pagination : reply
    this.data = 'jobs' in reply ? reply.jobs : reply.data
    this.total = total
    this.limit = limit
    this.offset = offset
    this.#load = load
  }

  hasNextPage(): boolean {
    return this.data.length > 0 && this.offset + this.data.length < this.total
  }

  /** Resolves with the next page. */
  nextPage(): Promise<Page<T>> {
    return this.#load(this.offset + this.data.length)
  }
}

type LoadPage<T> = (offset: number) => Promise<Page<T>>

/** Use `await` for the first page, or `for await` for all elements of all pages. */
export class PagePromise<T> extends ApiPromise<Page<T>> implements AsyncIterable<T> {
  /** @param send requests the page at an offset, or the first page if no offset is given */
  constructor(send: (offset?: number) => Promise<ApiResponse<ListReply<T>>>) {
    const load: LoadPage<T> = async offset => new Page((await send(offset)).data, load)
    super(send().then(response => ({ ...response, data: new Page(response.data, load) })))
  }

  /**
   * Yields each element once, even if new elements move others to the next page. Stops after as many elements as the
   * list had at the start.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: Page<T> = await this
    const { total } = page
    const ids = new Set<unknown>()
    for (let count = 0; ; page = await page.nextPage()) {
      for (const item of page.data) {
        const id = getId(item)
        if (id !== undefined && ids.has(id)) continue
        ids.add(id)
        yield item
        if (++count >= total) return
      }
      if (!page.hasNextPage()) return
    }
  }

  /** Collects all elements, up to a maximum. */
  async toArray({ max = Infinity }: { max?: number } = {}): Promise<T[]> {
    const items: T[] = []
    if (max > 0)
      for await (const item of this) {
        items.push(item)
        if (items.length >= max) break
      }
    return items
  }
}

/** Returns the first id field of an element. */
function getId(item: unknown): unknown {
  const { id, job_id, interventionId } = item as Record<string, unknown>
  return id ?? interventionId ?? job_id
}
