import type { ToolSpec } from '../../tools/tool-spec.ts'

/** Sources of content that no member of the workspace vouches for. A value without labels is trusted. */
export const LABELS = ['visitor', 'event', 'http', 'search', 'document', 'tool', 'memory', 'model'] as const
export type Label = (typeof LABELS)[number]

/** Content of each source, as people read it. */
const DESCRIPTIONS: Record<Label, string> = {
  visitor: 'a message of a visitor',
  event: 'the payload of an event',
  http: 'an HTTP response',
  search: 'search results',
  document: 'a document',
  tool: 'the output of a tool',
  memory: 'a recollection',
  model: 'the output of a model',
}

export type Labels = readonly Label[]

/** Returns the labels of a value that was made from others. Absent labels are none. */
export function joinLabels(...lists: (Labels | null | undefined)[]): Label[] {
  const labelSet = new Set(lists.flatMap(list => list ?? []))
  return LABELS.filter(label => labelSet.has(label))
}

/** Returns the labels as an optional field: trusted values have none. */
export const buildLabelField = (labels: Labels): { labels?: Label[] } =>
  labels.length > 0 ? { labels: [...labels] } : {}

/** Lists the sources in a sentence: `search results and a document`. */
export function describeLabels(labels: Labels): string {
  const [last = '', ...others] = labels.map(label => DESCRIPTIONS[label]).toReversed()
  return others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : last
}

/** Labels of the output of a tool. Tools that run a pathway or a neuron return the labels of that run. */
export function labelToolOutput({ source, name }: Pick<ToolSpec, 'source' | 'name'>): Label[] {
  if (source === 'openapi' || source === 'mcp') return ['tool']
  const label = source === 'builtin' ? BUILTIN_LABELS[name] : undefined
  return label ? [label] : []
}

const BUILTIN_LABELS: Record<string, Label | undefined> = {
  search: 'search',
  read_resource: 'document',
  http_fetch: 'http',
  recall: 'memory',
}
