import type { McpToolkit, ToolkitResource, ToolkitTool } from '../../../data/tools/mcp-toolkits-store.ts'
import type { JsonSchema } from '../../../domain/shared/json/json.ts'
import type { ToolkitTarget } from '../../../domain/tools/mcp-toolkits.ts'
import type { Principal } from '../../../domain/access/principal.ts'

export interface ToolFields {
  type: ToolkitTarget
  /** Id or slug of a pathway or a neuron. */
  ref: string
  /** Default: `run_<slug>`, with a number if another tool of the toolkit has that name. */
  name?: string
  /** Default: that of the resource, or else its title. */
  description?: string | null
}

export interface ToolkitFields {
  name: string
  /** Default: derived from the name; for a change, the present one. */
  slug?: string
  description?: string | null
  tools: ToolFields[]
}

export interface ToolView {
  type: ToolkitTarget
  /** Id of the resource. */
  ref: string
  name: ToolkitTool['name']
  description: string | null
  /** Null when the resource is deleted or not visible to the caller. */
  resource: Pick<ToolkitResource, 'slug' | 'title' | 'version' | 'is_active'> | null
}

export type ToolkitView = Omit<McpToolkit, 'tools'> & { tools: ToolView[] }

export interface ToolDetail extends ToolView {
  /** JSON Schema of the arguments, which are an object. Null where the tool cannot be called. */
  input_schema: JsonSchema | null
}

export type ToolkitDetail = Omit<McpToolkit, 'tools'> & { tools: ToolDetail[] }

/** A tool as an MCP server offers it. */
export interface CallableTool {
  name: string
  title: string
  description: string
  input_schema: JsonSchema
  /** What a call runs, at its latest version. */
  target: { type: ToolkitTarget; id: string; version: number }
}

/**
 * Toolkits of a workspace: pathways and neurons as tools of MCP clients. A toolkit gives no right to call its tools.
 * Methods throw NotFound for what the workspace does not have.
 */
export interface McpToolkits {
  list(principal: Principal, page: { limit: number; offset: number }): Promise<{ data: ToolkitView[]; total: number }>
  read(principal: Principal, idOrSlug: string): Promise<ToolkitDetail>
  /**
   * Throws ValidationError with the problems of the tools by pointer, and Conflict when the slug is taken or the workspace
   * cannot have more toolkits.
   */
  create(principal: Principal, fields: ToolkitFields): Promise<ToolkitDetail>
  /** Replaces all fields. Throws what `create` throws, and Conflict unless the version is the expected one. */
  replace(
    principal: Principal,
    idOrSlug: string,
    fields: ToolkitFields,
    expectedVersion?: number,
  ): Promise<ToolkitDetail>
  remove(principal: Principal, idOrSlug: string): Promise<void>
  /** Lists the tools that the principal may see and that can be called, in the order of the toolkit. */
  listTools(principal: Principal, idOrSlug: string): Promise<CallableTool[]>
}
