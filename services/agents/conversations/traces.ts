import type { Database, Tx } from '../../../data/shared/database.ts'
import { listMessages } from '../../../data/agents/trace-messages-store.ts'
import { findTrace, listTraces, type TraceRecord } from '../../../data/agents/traces-store.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { TraceMessage } from '../../../domain/agents/messages.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { canReadBrain, visibleBrains } from '../../access/brains.ts'
import type { MessageView, TracesQuery, TraceView } from '../../../contract/agents/thread.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'

/** Threads. Methods throw NotFound for ids in other workspaces and in brains that the caller cannot see. */
export interface TracesService {
  list(principal: Principal, filter: TracesQuery): Promise<{ data: TraceView[]; total: number }>
  /** Returns the messages in order, oldest first. `only_said` omits tool calls and their results. */
  read(
    principal: Principal,
    id: string,
    page: { limit: number; offset: number; only_said?: boolean },
  ): Promise<{ trace: TraceView; messages: MessageView[]; total: number }>
}

export function createTraces({ db }: { db: Database }): TracesService {
  return {
    list: (principal, { actor = principal.actor, ...filter }) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const owner = actor === 'all' ? {} : { actor }
        const { rows, total } = await listTraces(tx, { ...filter, ...owner, brain_ids: visibleBrains(principal) })
        return { data: rows, total }
      }),

    read: (principal, id, page) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        const trace = await getTrace(tx, principal, id)
        const { rows, total } = await listMessages(tx, id, page)
        return { trace, messages: rows.map(presentMessage), total }
      }),
  }
}

/** Throws NotFound. */
export async function getTrace(tx: Tx, principal: Principal, id: string): Promise<TraceRecord> {
  const trace = isUuid(id) ? await findTrace(tx, id) : undefined
  if (!trace || !canReadBrain(principal, trace.brain_id)) throw new NotFound('Trace')
  return trace
}

/** Returns a message without the fields that only the run uses internally. */
export function presentMessage({ turn, role, job_id, at, content }: TraceMessage): MessageView {
  const head = { turn, role, job_id, at }
  if (role === 'tool') return { ...head, ...content }
  if (role === 'user') return { ...head, text: content.text, ...(content.files && { files: content.files }) }
  const { text, calls, data } = content
  return { ...head, text, ...(calls && { calls }), ...(data !== undefined && { data }) }
}
