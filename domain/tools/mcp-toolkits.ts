import { slugProblem } from '../shared/text/slug.ts'

export const MAX_TOOLKIT_TOOLS = 50

/** What a tool of a toolkit runs. */
export const TOOLKIT_TARGETS = ['pathway', 'neuron'] as const
export type ToolkitTarget = (typeof TOOLKIT_TARGETS)[number]

/** The toolkits that the MCP server itself offers, at the same URLs, in the order of its list of tools. */
export const BUILTIN_TOOLKITS = ['pathways', 'neurons', 'search', 'documents', 'inbox'] as const
export type BuiltinToolkit = (typeof BUILTIN_TOOLKITS)[number]
const RESERVED = new Set<string>(BUILTIN_TOOLKITS)

/** Whether a toolkit of the service has the slug. */
export const isReservedToolkit = (slug: string): slug is BuiltinToolkit => RESERVED.has(slug)

/** Returns the problem of the slug of a toolkit as the end of a sentence, or undefined. */
export const toolkitSlugProblem = (slug: string): string | undefined =>
  slugProblem(slug) ?? (isReservedToolkit(slug) ? 'must not be that of a toolkit of the service' : undefined)

/** The tools of these toolkits. */
export const SERVICE_TOOLS = [
  'list_pathways',
  'get_pathway',
  'run_pathway',
  'validate_pathway',
  'list_runs',
  'get_run',
  'diagnose_run',
  'wait_for_run',
  'cancel_run',
  'answer_question',
  'preview_fork',
  'fork_run',
  'retry_run',
  'preview_bulk',
  'run_bulk',
  'preview_migration',
  'migrate_runs',
  'list_neurons',
  'ask_neuron',
  'continue_conversation',
  'search',
  'fetch',
  'browse',
  'read_document',
  'create_document',
  'edit_document',
  'ingest_document',
  'document_history',
  'list_questions',
  'get_question',
  'claim_question',
  'release_question',
  'comment_on_question',
  'get_evidence',
] as const
export type ServiceTool = (typeof SERVICE_TOOLS)[number]

/** The names that a tool of a workspace must not have: clients take it for the tool of the service. */
export const RESERVED_TOOLS: ReadonlySet<string> = new Set(SERVICE_TOOLS)
