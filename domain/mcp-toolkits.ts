import { slugProblem } from './slug.ts'

export const MAX_TOOLKIT_TOOLS = 50

/** What a tool of a toolkit runs. */
export const TOOLKIT_TARGETS = ['pathway', 'neuron'] as const
export type ToolkitTarget = (typeof TOOLKIT_TARGETS)[number]

/** The toolkits that the MCP server itself offers, at the same URLs, in the order of its list of tools. */
export const BUILTIN_TOOLKITS = ['pathways', 'neurons', 'search', 'documents', 'inbox'] as const
export type BuiltinToolkit = (typeof BUILTIN_TOOLKITS)[number]
const RESERVED = new Set<string>(BUILTIN_TOOLKITS)

/** Whether a toolkit of the service has the slug. */
export const isReservedToolkit = (slug: string): boolean => RESERVED.has(slug)

/** Returns the problem of the slug of a toolkit as the end of a sentence, or undefined. */
export const toolkitSlugProblem = (slug: string): string | undefined =>
  slugProblem(slug) ?? (isReservedToolkit(slug) ? 'must not be that of a toolkit of the service' : undefined)
