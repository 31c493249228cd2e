export const USAGE_GROUPS = ['day', 'kind', 'model', 'neuron', 'pathway', 'job'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]
