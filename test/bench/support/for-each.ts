/** Processes all elements, `atOnce` at a time. Rejects with the first failure. */
export async function forEach<T>(all: Iterable<T>, atOnce: number, work: (one: T) => Promise<unknown>): Promise<void> {
  const left = all[Symbol.iterator]()
  const workNext = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, workNext))
}
