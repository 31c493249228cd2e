import type { ToolSpec } from '../../tools/tool-spec.ts'

/** Sources of content that no workspace member vouches for. A value without labels is trusted. */
export const LABELS = ['visitor', 'event', 'http', 'search', 'document', 'tool', 'memory', 'model'] as const
export type Label = (typeof LABELS)[number]

/** Describes each source in messages. */
const DESCRIPTIONS: Record<Label, string> = {
  visitor: 'a visitor message',
  event: 'an event payload',
  http: 'an HTTP response',
  search: 'search results',
  document: 'a document',
  tool: 'tool output',
  memory: 'a memory',
  model: 'model output',
}

export type Labels = readonly Label[]

/**
 * Returns the labels of a value, combined from the labels of the values it is derived from. Absent labels count as
 * none.
 */
export function joinLabels(...lists: (Labels | null | undefined)[]): Label[] {
  const labelSet = new Set(lists.flatMap(list => list ?? []))
  return LABELS.filter(label => labelSet.has(label))
}

/** Returns the labels as an optional field: trusted values have no such field. */
export const buildLabelField = (labels: Labels): { labels?: Label[] } =>
  labels.length > 0 ? { labels: [...labels] } : {}

/** Lists the sources in a phrase: `search results and a document`. */
export function describeLabels(labels: Labels): string {
  const [last = '', ...others] = labels.map(label => DESCRIPTIONS[label]).toReversed()
  return others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : last
}

/** Returns the labels of a tool's output. Tools that run a pathway or an agent return the labels of that run. */
export function labelToolOutput({ source, name }: Pick<ToolSpec, 'source' | 'name'>): Label[] {
  if (source === 'openapi' || source === 'mcp') return ['tool']
  const label = source === 'builtin' ? BUILTIN_LABELS[name] : undefined
  return label ? [label] : []
}

const BUILTIN_LABELS: Record<string, Label | undefined> = {
  search: 'search',
  read_resource: 'document',
  read_file: 'document',
  http_fetch: 'http',
  recall: 'memory',
}
