import type { ToolkitTool } from './mcp-toolkits-store.ts'
import { defineTable, bytes, integer, jsonb, nullable, primary, text, texts, time, uuid } from '../shared/table.ts'

/** Encrypted values that tools send to hosts. */
export const secretsTable = defineTable('secrets', {
  workspace_id: primary(uuid()),
  name: primary(text()),
  /** The hosts to which the value may be sent. */
  hosts: texts(),
  /** Encrypted with the key identified by `key_id`, and bound to this workspace, name and hosts. */
  value: bytes(),
  key_id: text(),
  created_by: text(),
  created_at: time(),
  updated_by: text(),
  updated_at: time(),
})

/** Pathways and neurons that the MCP server offers as tools. */
export const mcpToolkitsTable = defineTable('mcp_toolkits', {
  id: primary(uuid()),
  workspace_id: uuid(),
  slug: text(),
  name: text(),
  description: nullable(text()),
  /** In list order. */
  tools: jsonb<ToolkitTool[]>(),
  /** Starts at 1 and increases with each change. */
  version: integer(),
  created_by: text(),
  created_at: time(),
  updated_at: time(),
})
