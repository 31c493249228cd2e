/** One event of a stream: its id, and what `data` said. */
export interface ServerSentEvent {
  id: string | undefined
  data: string
}

/** Reads server-sent events until the stream ends. Comments (pings) give nothing. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block)
      if (event) yield event
    }
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  const fields = block.split(/\r?\n/).map(line => /^(id|data): ?(.*)$/.exec(line))
  const values = (name: string) => fields.flatMap(field => (field?.[1] === name ? [field[2] ?? ''] : []))
  const data = values('data')
  return data.length > 0 ? { id: values('id').at(-1), data: data.join('\n') } : undefined
}
