import type { Principal } from '../../../domain/principal.ts'
import type { Accepted, Conversations } from '../../../services/conversations/types.ts'
import { accepted, ok, type Reply } from '../../routing/reply.ts'
import { closed } from '../../routing/closed.ts'
import type { AppContext } from '../../routing/state.ts'

/** The answer, or, where it takes too long or a person is asked, the job to follow. */
export async function answerWhenReady(
  ctx: AppContext,
  principal: Principal,
  started: Accepted,
  conversations: Conversations,
): Promise<Reply> {
  const answer = await conversations.answer(principal, started, closed(ctx.res))
  return answer ? ok(answer) : accepted(started)
}
