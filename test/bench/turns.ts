import type { Samples } from './item.ts'

/** Does it once; gives how long it took in milliseconds. */
export type Once = () => Promise<number>

/** Ours, bare, ours, bare …: so that whatever else the machine does hits both alike. What warms up is not counted. */
export async function takeTurns(sides: { ours: Once; bare: Once }, turns: number, warmUp = 10): Promise<Samples> {
  const samples: Samples = { ours: [], bare: [] }
  for (let turn = -warmUp; turn < turns; turn++) {
    for (const side of ['ours', 'bare'] as const) {
      const took = await sides[side]()
      if (turn >= 0) samples[side].push(took)
    }
  }
  return samples
}

/** Times a piece of work, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
