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
  /** Owner of the thread. */
  actor: text(),
  /** Answers messages that name no other target. */
  target: nullable(json<{ type: 'neuron' | 'receptor' | 'pathway'; id: string }>()),
  turns: integer(),
  created_at: time(),
  updated_at: time(),
  deleted_at: nullable(time()),
})

/** A turn is one run. A position belongs to one message, so writing a message again has no effect. */
export const traceMessagesTable = defineTable('trace_messages', {
  workspace_id: uuid(),
  trace_id: primary(uuid()),
  turn: primary(integer()),
  position: primary(integer()),
  job_id: text(),
  role: text<'user' | 'assistant' | 'tool'>(),
  /** Of the type that belongs to the role. */
  content: json<UserContent | AssistantContent | ToolContent>(),
  at: time(),
})

/** The pinned neuron with its tools. Activities read it here instead of from their input. */
export const neuronRunsTable = defineTable('neuron_runs', {
  job_id: primary(text()),
  workspace_id: uuid(),
  spec: json<JsonObject>(),
})
