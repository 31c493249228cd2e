import { oneOf, readText, toSearchReader } from '../parts/search.ts'

/** What the address of the chat holds: whose threads are listed, and who answers in a new one (`neuron:travel-desk`). */
export const readChatSearch = toSearchReader({ of: oneOf(['all']), with: readText })
