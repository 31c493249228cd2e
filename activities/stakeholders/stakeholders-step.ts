import { z } from 'zod'
import { isRefusal } from '../../domain/shared/errors.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { foundPeople } from '../../domain/stakeholders/propose.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { MapChanges } from '../../services/stakeholders/changes.ts'
import { readStep } from '../shared/read-step.ts'
import type { Step } from '../runs/step.ts'
import { idempotencyFor } from '../tools/builtin/idempotency.ts'
import { buildPrincipal } from '../tools/principal.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

const MAX_PARTS = 100

const common = { map: z.string().min(1).max(200), requester: z.string() }
/** A `stakeholders` node's `with` after its expressions are evaluated. */
const mapStep = z.discriminatedUnion('action', [
  z.object({
    ...common,
    action: z.literal('propose'),
    /** The people that models found in the parts of a text. */
    found: z.union([z.array(foundPeople).max(MAX_PARTS), foundPeople.transform(people => [people])]),
  }),
  z.object({
    ...common,
    action: z.literal('apply'),
    delta: z.record(z.string(), z.json()),
    expected_version: z.int().min(1).optional(),
    note: z.string().max(2_000).optional(),
  }),
])

/**
 * Creates the activity for the `stakeholders` node, which proposes or applies a delta. A delta takes effect only
 * once, no matter how many attempts are made. Throws StepError with the API's error code.
 */
export function createStakeholdersActivity({ mapChanges }: { mapChanges: MapChanges }): Step {
  return async ({ job, node, with: rawStep }) => {
    const step = readStep(mapStep, rawStep)
    const principal = buildPrincipal({ job, requester: step.requester })
    try {
      if (step.action === 'propose')
        return { output: (await mapChanges.propose(principal, step.map, step.found)) as unknown as JsonValue }
      const { map, delta, expected_version, note } = step
      const once = idempotencyFor('stakeholders', `${job.job_id}:${node.key}`, delta)
      return { output: await mapChanges.apply(principal, map, { delta, expected_version, note }, once) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      const details = (error.details ?? []).map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')
      throw new StepError(error.code, cut([error.message, details].filter(Boolean).join('. '), 1_000))
    }
  }
}
