import { MAX_COUNTED } from '../../domain/jobs.ts'

/** A number of interventions, of which there may be more than are counted. */
export const toCountText = (count: number): string => (count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`)
