/** The lists of the inbox. */
export const VIEWS = {
  mine: 'For me',
  groups: 'For my groups',
  all: 'All open',
  decided: 'Decided',
} as const

export type View = keyof typeof VIEWS

export const KINDS = ['approval', 'form', 'questions'] as const

/** What the address of the inbox holds. */
export interface InboxSearch {
  view?: View
  kind?: (typeof KINDS)[number]
}

export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const view = Object.keys(VIEWS).find(one => one === search['view']) as View | undefined
  const kind = KINDS.find(one => one === search['kind'])
  return { ...(view && { view }), ...(kind && { kind }) }
}
