/** The kinds of resources from which a map can be extracted. */
export const EXTRACTED_KINDS = ['assets', 'artifacts', 'meetings'] as const
