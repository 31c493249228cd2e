const BATCH = 200

/** Reads a long list in batches. Each batch starts after the key of the last row in the previous batch. */
export async function* readBatches<R>(
  read: (position: { after: string; limit: number }) => Promise<R[]>,
  keyOf: (row: R) => string,
): AsyncGenerator<R[]> {
  let after = ''
  for (;;) {
    const batch = await read({ after, limit: BATCH })
    yield batch
    const last = batch.at(-1)
    if (last === undefined || batch.length < BATCH) return
    after = keyOf(last)
  }
}
