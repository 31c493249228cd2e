import type { Database, Tx } from '../../data/database.ts'
import { listMessages } from '../../data/trace-messages-store.ts'
import { deleteTrace, findTrace, listTraces, type TraceRecord } from '../../data/traces-store.ts'
import { isUuid } from '../../data/uuid.ts'
import { NotFound } from '../../domain/errors.ts'
import type { TraceMessage } from '../../domain/neurons/messages.ts'
import type { Principal } from '../../domain/principal.ts'
import { writeAudit } from '../../data/audit-store.ts'
import { mayTouch } from '../jobs/find.ts'
import type { MessageView, TracesService } from './types.ts'

export function createTraces({ db }: { db: Database }): TracesService {
  return {
    list: (who, { actor = who.actor, ...filter }) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const whose = actor === 'all' ? {} : { actor }
        const { rows, total } = await listTraces(tx, { ...filter, ...whose, brain_ids: who.brain_ids })
        return { data: rows, total }
      }),

    read: (who, id, page) =>
      db.inWorkspace(who.workspace_id, async tx => {
        const trace = await requireTrace(tx, who, id)
        const { rows, total } = await listMessages(tx, id, page)
        return { trace, messages: rows.map(messageView), total }
      }),

    remove: (who, id) =>
      db.inWorkspace(who.workspace_id, async tx => {
        await requireTrace(tx, who, id)
        await deleteTrace(tx, id)
        await writeAudit(tx, { actor: who.actor, action: 'trace.delete', target: id, details: { key_id: who.key_id } })
      }),
  }
}

/** Throws NotFound. */
export async function requireTrace(tx: Tx, who: Principal, id: string): Promise<TraceRecord> {
  const trace = isUuid(id) ? await findTrace(tx, id) : undefined
  if (!trace || !mayTouch(who, trace.brain_id)) throw new NotFound('Trace')
  return trace
}

/** What people and tools said, without what is only for the run. */
export function messageView({ turn, role, job_id, at, content }: TraceMessage): MessageView {
  const head = { turn, role, job_id, at }
  if (role === 'tool') return { ...head, ...content }
  if (role === 'user') return { ...head, text: content.text }
  const { text, calls, data } = content
  return { ...head, text, ...(calls && { calls }), ...(data !== undefined && { data }) }
}
