/** The figures for one side of a row. */
export interface Figures {
  median: number
  p95: number
  p99: number
}

export function computeFigures(samples: number[]): Figures {
  const sorted = samples.toSorted((a, b) => a - b)
  return { median: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) }
}

/** Uses the nearest rank. Returns NaN without samples. */
function percentile(sorted: number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}
