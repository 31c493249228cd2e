import { defaultPayloadConverter, type Headers } from '@temporalio/common'

/** Start time for an activity that was rejected because other activities in its workspace come first. */
export interface AdmissionPlace {
  /** Milliseconds until the activity should be scheduled again. */
  wait_ms: number
  /** Earliest start time, as Unix time in milliseconds. */
  begin_at: number
}

/** The header with the place of a rescheduled activity. */
const PLACE_HEADER = 'ganglion-place'

export function readPlaceHeader({ [PLACE_HEADER]: payload }: Headers): AdmissionPlace | undefined {
  return payload && defaultPayloadConverter.fromPayload<AdmissionPlace>(payload)
}

/** Returns the headers with the place added. */
export const withPlaceHeader = (headers: Headers, place: AdmissionPlace): Headers => ({
  ...headers,
  [PLACE_HEADER]: defaultPayloadConverter.toPayload(place),
})
