/** A packet of compressed sound, as its container gives it. */
export interface Packet {
  /** Seconds. */
  duration: number
  /** Bytes. */
  size: number
  /** How much is in it: coders spend few bytes on silence. */
  weight: number
}

export interface CutLimits {
  /** Seconds a piece should have at least, and may have at most. */
  shortest: number
  longest: number
  /** Seconds that are left for the next piece where there is one, so that none is too short to be recognised. */
  rest: number
  /** Bytes a piece may have. */
  bytes: number
}

/** What a service for short audio takes in one request: some 25 MB, and it hears about half a minute at a time. */
export const PIECES: CutLimits = { shortest: 30, longest: 60, rest: 15, bytes: 20_000_000 }

/** Seconds around a place that have to be quiet for it to be a pause. */
const PAUSE = 0.3

/** True once there is more than fits into one piece, with enough behind it for the next one. */
export const exceedsPiece = (all: { duration: number; size: number }, limits: CutLimits): boolean =>
  all.duration > limits.longest + limits.rest || all.size > limits.bytes

/**
 * How many of these packets make the next piece: up to the quietest place between the shortest and the longest piece,
 * the last one where several are as quiet. At least one, and fewer than all unless there is but one.
 */
export function findCut(packets: Packet[], limits: CutLimits): number {
  const ends = computeEnds(packets)
  const longest = Math.min(limits.longest, (ends.at(-1) ?? 0) - Number.EPSILON)
  const most = packets.length - 1
  const earliest = Math.min(limits.shortest, longest / 2)
  let best = Math.max(1, Math.min(most, ends.findLastIndex(end => end <= longest) + 1))
  let least = Infinity
  for (let count = best; count >= 1 && (ends[count - 1] ?? 0) >= earliest; count--) {
    const weight = measureLoudness(packets, ends, count)
    if (weight < least) [best, least] = [count, weight]
  }
  return best
}

/** Weight per second within half a pause before and after the end of the first packets. */
function measureLoudness(packets: Packet[], ends: number[], count: number): number {
  const at = ends[count - 1] ?? 0
  let [weight, duration] = [0, 0]
  const add = ({ weight: more, duration: longer }: Packet) => {
    weight += more
    duration += longer
  }
  for (let i = count - 1; i >= 0 && (ends[i] ?? 0) > at - PAUSE / 2; i--) add(packets[i] as Packet)
  for (let i = count; i < packets.length && (ends[i - 1] ?? 0) < at + PAUSE / 2; i++) add(packets[i] as Packet)
  return duration === 0 ? 0 : weight / duration
}

function computeEnds(packets: Packet[]): number[] {
  let end = 0
  return packets.map(({ duration }) => (end += duration))
}
