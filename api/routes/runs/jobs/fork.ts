import { type ForkStarted, type ForkPlanView, forkPlan, forkStarted } from '../../../../contract/runs/fork.ts'
import { accepted, ok } from '../../../routing/reply.ts'
import { errorBody } from '../../../../contract/shared/error.ts'

/** The responses of routes that fork a run. */
export const forkResponses = {
  200: { description: 'What the fork would do, for a dry run', schema: forkPlan },
  202: { description: 'The fork is accepted', schema: forkStarted },
  409: {
    description: 'The run does not permit it: it is still in the node, or nothing is left to do',
    schema: errorBody,
  },
}

export const replyToFork = (reply: ForkStarted | ForkPlanView) => ('dry_run' in reply ? ok(reply) : accepted(reply))
