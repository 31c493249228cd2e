/** The kinds that a map can be extracted from. */
export const EXTRACTED_KINDS = ['assets', 'artifacts', 'meetings'] as const
