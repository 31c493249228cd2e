import { createSearchReader, oneOf } from '../shared/parts/search.ts'

/** The lists of the inbox. */
export const VIEWS = {
  mine: 'For me',
  groups: 'For my groups',
  all: 'All open',
  decided: 'Decided',
} as const

export const KINDS = ['approval', 'form', 'questions'] as const

/** Search parameters of the inbox. */
export const readInboxSearch = createSearchReader({ view: oneOf(VIEWS), kind: oneOf(KINDS) })
export type InboxSearch = ReturnType<typeof readInboxSearch>
