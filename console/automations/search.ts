import { oneOf, readText, toSearchReader } from '../parts/search.ts'

/** What the address of the automations holds: the view, and the chosen trigger. */
export const readAutomationsSearch = toSearchReader({ view: oneOf(['graph']), trigger: readText })
