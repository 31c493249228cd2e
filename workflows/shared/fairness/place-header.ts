import { defaultPayloadConverter, type Headers } from '@temporalio/common'

/** Where an activity that is refused because others of its workspace precede it may begin. */
export interface AdmissionPlace {
  /** In how many milliseconds it is to be scheduled again. */
  wait_ms: number
  /** When it may begin, in milliseconds since 1970. */
  begin_at: number
}

/** The header by which an activity that is scheduled again has its place. */
const PLACE_HEADER = 'ganglion-place'

export function readPlaceHeader({ [PLACE_HEADER]: payload }: Headers): AdmissionPlace | undefined {
  return payload && defaultPayloadConverter.fromPayload<AdmissionPlace>(payload)
}

/** Returns headers with the place, in addition to those given. */
export const withPlaceHeader = (headers: Headers, place: AdmissionPlace): Headers => ({
  ...headers,
  [PLACE_HEADER]: defaultPayloadConverter.toPayload(place),
})
