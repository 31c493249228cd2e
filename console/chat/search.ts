/** What the address of the chat holds: whose threads are listed, and who answers in a new one (`neuron:travel-desk`). */
export interface ChatSearch {
  of?: 'all'
  with?: string
}

export function readChatSearch({ of, with: target }: Record<string, unknown>): ChatSearch {
  return { ...(of === 'all' && { of }), ...(typeof target === 'string' && { with: target }) }
}
