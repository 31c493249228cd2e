import { createSearchReader, oneOf, readText } from '../shared/parts/search.ts'

/**
 * Search parameters of the chat page: the thread filter, and the agent or gateway for a new thread
 * (`neuron:travel-desk`).
 */
export const readChatSearch = createSearchReader({ of: oneOf(['all']), with: readText })
