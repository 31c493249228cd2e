import type { Database, Tx } from '../../../data/shared/database.ts'
import { listMessages } from '../../../data/agents/trace-messages-store.ts'
import { findTrace, listTraces, type TraceRecord } from '../../../data/agents/traces-store.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { TraceMessage } from '../../../domain/agents/messages.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { canReadBrain, visibleBrains } from '../../access/brains.ts'
import type { MessageView, TracesService } from './types.ts'
import { isUuid } from '../../../domain/shared/uuid.ts'

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
        const trace = await getTraceOrThrow(tx, principal, id)
        const { rows, total } = await listMessages(tx, id, page)
        return { trace, messages: rows.map(presentMessage), total }
      }),
  }
}

/** Throws NotFound. */
export async function getTraceOrThrow(tx: Tx, principal: Principal, id: string): Promise<TraceRecord> {
  const trace = isUuid(id) ? await findTrace(tx, id) : undefined
  if (!trace || !canReadBrain(principal, trace.brain_id)) throw new NotFound('Trace')
  return trace
}

/** A message without the fields that only the run needs. */
export function presentMessage({ turn, role, job_id, at, content }: TraceMessage): MessageView {
  const head = { turn, role, job_id, at }
  if (role === 'tool') return { ...head, ...content }
  if (role === 'user') return { ...head, text: content.text }
  const { text, calls, data } = content
  return { ...head, text, ...(calls && { calls }), ...(data !== undefined && { data }) }
}
