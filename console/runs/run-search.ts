export const VIEWS = { graph: 'Graph', timeline: 'Timeline', table: 'Table' } as const
export type RunView = keyof typeof VIEWS

/** What the address of a run holds: the view, and the one node that all views and the panel show. */
export interface RunSearch {
  view?: RunView
  node?: string
}

export function readRunSearch(search: Record<string, unknown>): RunSearch {
  const view = (Object.keys(VIEWS) as RunView[]).find(one => one === search['view'])
  const node = search['node']
  return { ...(view && { view }), ...(typeof node === 'string' && { node }) }
}
