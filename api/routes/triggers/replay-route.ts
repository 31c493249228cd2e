import { errorBody } from '../../../contract/shared/error.ts'
import { line } from '../../../contract/shared/text.ts'
import * as schemas from '../../../contract/triggers/firing.ts'
import { productParams } from '../../../contract/resources/product.ts'
import type { ReplayFiring } from '../../../services/triggers/events/replay-firing.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'

const params = productParams.extend({ firing_id: line().meta({ description: 'Id of the firing' }) })

/** The route that fires a trigger again with the event of an earlier firing. */
export const replayRoute = ({ replayFiring }: { replayFiring: ReplayFiring }) =>
  defineRoute({
    name: 'triggers.replay',
    method: 'post',
    path: '/v1/triggers/:id/runs/:firing_id/replay',
    summary: 'Replay a firing',
    description:
      'Creates a new firing whose `replay_of` names the earlier firing. The current version of the trigger evaluates the event, even while the trigger is paused.',
    tag: 'Triggers',
    access: allowWriters('jobs:start'),
    params,
    idempotent: true,
    responses: {
      200: { description: 'No run was started, because the filter did not match', schema: schemas.firing },
      202: { description: 'The run was started', schema: schemas.firing },
      409: { description: 'The firing has no event, or the target is missing or inactive', schema: errorBody },
    },
    async handler({ principal, params, idempotency }) {
      const firing = await replayFiring(principal, { trigger: params.id, id: params.firing_id }, idempotency)
      const { job_id } = firing
      return job_id === null ? ok(firing) : accepted({ ...firing, job_id })
    },
  })
