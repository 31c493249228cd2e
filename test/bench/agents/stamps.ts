import { stampedToken } from '../tokens/stamp.ts'

const ARRIVAL = /#(\d+)#/

/** A token that says when it was sent, and the first one of an answer when the question had come. */
export const sentToken = (arrived?: bigint): string => `${arrived === undefined ? '' : `#${arrived}#`}${stampedToken()}`

/** When the question had come to the provider, in milliseconds after `since`. */
export function arrivalIn(text: string, since: bigint): number | undefined {
  const [, at] = ARRIVAL.exec(text) ?? []
  return at === undefined ? undefined : msBetween(since, BigInt(at))
}

export const msBetween = (from: bigint, until: bigint): number => Number(until - from) / 1e6
