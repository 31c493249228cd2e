import type { AssistantContent, ToolContent, UserContent } from '../../domain/agents/messages.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { defineTable, integer, json, nullable, primary, text, time, uuid } from '../shared/table.ts'

/** Threads. */
export const tracesTable = defineTable('traces', {
  id: primary(uuid()),
  workspace_id: uuid(),
  brain_id: nullable(uuid()),
  trace_type: text<'user' | 'system'>(),
  title: text(),
  /** The owner of the thread. */
  actor: text(),
  /** The target for messages that don't name one. */
  target: nullable(json<{ type: 'neuron' | 'receptor' | 'pathway'; id: string }>()),
  turns: integer(),
  created_at: time(),
  updated_at: time(),
  deleted_at: nullable(time()),
})

/**
 * Messages of threads. Each turn is one run. A position holds one message, so writing the same message again has no
 * effect.
 */
export const traceMessagesTable = defineTable('trace_messages', {
  workspace_id: uuid(),
  trace_id: primary(uuid()),
  turn: primary(integer()),
  position: primary(integer()),
  job_id: text(),
  role: text<'user' | 'assistant' | 'tool'>(),
  /** The type depends on the role. */
  content: json<UserContent | AssistantContent | ToolContent>(),
  at: time(),
})

/** The pinned neuron with its tools. Activities read both from this table instead of receiving them as input. */
export const neuronRunsTable = defineTable('neuron_runs', {
  job_id: primary(text()),
  workspace_id: uuid(),
  spec: json<JsonObject>(),
})
