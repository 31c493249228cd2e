import { RIGHTS } from '../../../domain/access/rights.ts'
import type { StepInput } from '../../../activities/types.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'

/** Returns the input for one node's activity. Fields that a test does not set have default values. */
export function stepInput(
  fields: { type: string; with: JsonObject; key?: string; job_id?: string } & Partial<StepInput>,
): StepInput {
  const { type, with: resolved, key = 'step', job_id = 'job-1', ...rest } = fields
  return {
    job: {
      job_id,
      workspace_id: '01890000-0000-7000-8000-000000000001',
      root_job_id: job_id,
      people: [],
      rights: [...RIGHTS],
    },
    node: { key, id: 'step', type },
    with: resolved,
    preceding_milestones: [],
    ...rest,
  }
}
