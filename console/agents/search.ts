import { createSearchReader, oneOf, readText } from '../shared/parts/search.ts'

/** What the address of the chat holds: whose threads are listed, and who answers in a new one (`neuron:travel-desk`). */
export const readChatSearch = createSearchReader({ of: oneOf(['all']), with: readText })
