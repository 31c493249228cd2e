import type { Principal } from '../../../domain/access/principal.ts'
import { type RunAccepted, answer, openRun } from '../../../contract/agents/conversation.ts'
import type { Conversations } from '../../../services/agents/conversations/conversations.ts'
import { accepted, ok, type Reply } from '../../routing/reply.ts'
import { createDisconnectSignal } from '../../routing/closed.ts'
import type { AppContext } from '../../routing/state.ts'
import { errorBody } from '../../../contract/shared/error.ts'

/** Returns the answer. If the answer takes too long or needs a person, returns the state of the job instead. */
export async function answerWhenReady(
  ctx: AppContext,
  principal: Principal,
  acceptedMessage: RunAccepted,
  conversations: Conversations,
): Promise<Reply> {
  const answer = await conversations.answer(principal, acceptedMessage, createDisconnectSignal(ctx.res))
  return 'output' in answer ? ok(answer) : accepted(answer)
}

/** Responses for a caller that waits for an answer. */
export const answered = {
  200: { description: 'The answer', schema: answer },
  202: { description: 'The run is still in progress or is waiting for a person', schema: openRun },
  502: { description: "The run failed. The message contains the run's id and the reason.", schema: errorBody },
}
