import { createSearchReader, oneOf, readText } from '../shared/parts/search.ts'

/** What the address of the automations holds: the view, and the chosen trigger. */
export const readAutomationsSearch = createSearchReader({ view: oneOf(['graph']), trigger: readText })
