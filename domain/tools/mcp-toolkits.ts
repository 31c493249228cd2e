import { slugProblem } from '../shared/text/slug.ts'

export const MAX_TOOLKIT_TOOLS = 50

/** Target types of a toolkit's tools. */
export const TOOLKIT_TARGETS = ['pathway', 'neuron'] as const
export type ToolkitTarget = (typeof TOOLKIT_TARGETS)[number]

/** Toolkits that the MCP server itself offers, under the same URLs as other toolkits, in the order of its tool list. */
export const BUILTIN_TOOLKITS = ['pathways', 'neurons', 'search', 'documents', 'inbox'] as const
export type BuiltinToolkit = (typeof BUILTIN_TOOLKITS)[number]
const RESERVED = new Set<string>(BUILTIN_TOOLKITS)

/** Returns whether the slug belongs to a built-in toolkit. */
export const isReservedToolkit = (slug: string): slug is BuiltinToolkit => RESERVED.has(slug)

/** Returns the problem with a toolkit slug as the end of a sentence, or undefined. */
export const toolkitSlugProblem = (slug: string): string | undefined =>
  slugProblem(slug) ?? (isReservedToolkit(slug) ? 'must not be the slug of a built-in toolkit' : undefined)

/** The tools of the built-in toolkits. */
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

/** Names that workspace tools must not use, because clients would confuse them with built-in tools. */
export const RESERVED_TOOLS: ReadonlySet<string> = new Set(SERVICE_TOOLS)
