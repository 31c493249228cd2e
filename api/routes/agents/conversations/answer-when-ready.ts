import type { Principal } from '../../../../domain/access/principal.ts'
import type { AcceptedMessage, Conversations } from '../../../../services/agents/conversations/types.ts'
import { accepted, ok, type Reply } from '../../../routing/reply.ts'
import { createDisconnectSignal } from '../../../routing/closed.ts'
import type { AppContext } from '../../../routing/state.ts'

/** Responds with the answer, or with the state of the job if the answer takes too long or needs a person. */
export async function answerWhenReady(
  ctx: AppContext,
  principal: Principal,
  started: AcceptedMessage,
  conversations: Conversations,
): Promise<Reply> {
  const answer = await conversations.answer(principal, started, createDisconnectSignal(ctx.res))
  return 'output' in answer ? ok(answer) : accepted(answer)
}
