import { stampedToken } from '../tokens/stamp.ts'

const ARRIVAL = /#(\d+)#/

/** Returns a token with its send time. The first token of an answer also contains the arrival time of the request. */
export const sentToken = (arrived?: bigint): string => `${arrived === undefined ? '' : `#${arrived}#`}${stampedToken()}`

/** Returns when the provider received the request, in milliseconds since `since`. */
export function arrivalIn(text: string, since: bigint): number | undefined {
  const [, at] = ARRIVAL.exec(text) ?? []
  return at === undefined ? undefined : msBetween(since, BigInt(at))
}

export const msBetween = (from: bigint, until: bigint): number => Number(until - from) / 1e6
