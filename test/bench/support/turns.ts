/**
 * Alternates between both sides, so that other work on the machine delays both equally. Warm-up runs are not counted.
 */
export async function takeTurns<Side extends string, T>(
  sides: Record<Side, () => Promise<T>>,
  turns: number,
  warmUp = 10,
): Promise<Record<Side, T[]>> {
  const names = Object.keys(sides) as Side[]
  const samples = Object.fromEntries(names.map(side => [side, [] as T[]])) as Record<Side, T[]>
  for (let turn = -warmUp; turn < turns; turn++) {
    for (const side of names) {
      const took = await sides[side]()
      if (turn >= 0) samples[side].push(took)
    }
  }
  return samples
}

/** Measures the duration of work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
