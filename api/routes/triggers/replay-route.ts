import type { ReplayFiring } from '../../../services/triggers/events/replay-firing.ts'
import { allowWriters } from '../../routing/access.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute } from '../../routing/route.ts'
import { errorBody } from '../../../contract/shared/error.ts'
import { line } from '../../../contract/shared/text.ts'
import * as schemas from '../../../contract/triggers/firing.ts'
import { productParams } from '../../../contract/resources/product.ts'

const params = productParams.extend({ firing_id: line().meta({ description: 'Id of the firing' }) })

/** Fires a trigger again with an earlier event. */
export const replayRoute = ({ replayFiring }: { replayFiring: ReplayFiring }) =>
  defineRoute({
    name: 'triggers.replay',
    method: 'post',
    path: '/v1/triggers/:id/runs/:firing_id/replay',
    summary: 'Fire a trigger again with the event of an earlier firing',
    description:
      'The result is a new firing, whose `replay_of` names the earlier one. The trigger decides as it is now, also while it is paused.',
    tag: 'Triggers',
    access: allowWriters('jobs:start'),
    params,
    idempotent: true,
    responses: {
      200: { description: 'No run was started, because the filter is false', schema: schemas.firing },
      202: { description: 'The run is started', schema: schemas.firing },
      409: { description: 'The firing has no event, or the target is missing or switched off', schema: errorBody },
    },
    async handler({ principal, params, idempotency }) {
      const firing = await replayFiring(principal, { trigger: params.id, id: params.firing_id }, idempotency)
      const { job_id } = firing
      return job_id === null ? ok(firing) : accepted({ ...firing, job_id })
    },
  })
