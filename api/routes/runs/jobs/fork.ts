import { type ForkStarted, type ForkPlanView, forkPlan, forkStarted } from '../../../../contract/runs/fork.ts'
import { accepted, ok } from '../../../routing/reply.ts'
import { errorBody } from '../../../../contract/shared/error.ts'

/** Responses from routes that fork a run. */
export const forkResponses = {
  200: { description: 'Preview of the fork, for a dry run', schema: forkPlan },
  202: { description: 'The fork was accepted', schema: forkStarted },
  409: {
    description: 'The run cannot be forked: the node is still in progress, or nothing is left to do',
    schema: errorBody,
  },
}

export const replyToFork = (reply: ForkStarted | ForkPlanView) => ('dry_run' in reply ? ok(reply) : accepted(reply))
