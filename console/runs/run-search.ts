import { oneOf, readText, toSearchReader } from '../parts/search.ts'

export const VIEWS = { graph: 'Graph', timeline: 'Timeline', table: 'Table' } as const
export type RunView = keyof typeof VIEWS

/** What the address of a run holds: the view, and the one node that all views and the panel show. */
export const readRunSearch = toSearchReader({ view: oneOf(VIEWS), node: readText })
