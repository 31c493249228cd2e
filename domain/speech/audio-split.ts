/** A packet of compressed audio, as stored in its container. */
export interface Packet {
  /** Seconds. */
  duration: number
  /** Bytes. */
  size: number
  /** Amount of sound, estimated by size: encoders spend few bytes on silence. */
  weight: number
}

export interface CutLimits {
  /** Minimum and maximum length of a piece in seconds. */
  shortest: number
  longest: number
  /** Seconds that must remain for the next piece, so that it is long enough to be recognized. */
  rest: number
  /** Maximum size of a piece in bytes. */
  bytes: number
}

/**
 * Limits for a typical speech service for short audio, which accepts about 25 MB per request and processes about 30 s
 * at a time.
 */
export const PIECES: CutLimits = { shortest: 30, longest: 60, rest: 15, bytes: 20_000_000 }

/** Seconds around a cut that must be quiet to count as a pause. */
const PAUSE = 0.3

/** Returns whether the audio exceeds one piece and leaves enough for the next piece. */
export const exceedsPiece = (all: { duration: number; size: number }, limits: CutLimits): boolean =>
  all.duration > limits.longest + limits.rest || all.size > limits.bytes

/**
 * Returns the number of packets in the next piece, up to the quietest position between the minimum and maximum
 * length. Ties go to the last position. Returns at least one packet, and fewer than all unless there is only one.
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

/** Returns the weight per second within half a pause before and after the end of the first `count` packets. */
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
