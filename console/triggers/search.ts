import { createSearchReader, oneOf, readText } from '../shared/parts/search.ts'

/** Search parameters of the automations page: the view, and the selected trigger. */
export const readAutomationsSearch = createSearchReader({ view: oneOf(['graph']), trigger: readText })
