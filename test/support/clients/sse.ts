/** An event, or a comment line. */
export type SseMessage<T> =
  { id: string; data: T; comment?: undefined } | { comment: string; id?: undefined; data?: undefined }

/** Parses `id:` and `data:` lines and comments according to the specification. Throws on anything else. */
export async function* readEvents<T extends object>(
  body: ReadableStream<Uint8Array>,
  check: (event: T) => void,
): AsyncGenerator<SseMessage<T>> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parseMessage(block, check)
  }
  if (text) throw new Error(`The stream ended inside an event: ${text}`)
}

function parseMessage<T extends object>(block: string, check: (event: T) => void): SseMessage<T> {
  if (block.startsWith(': ')) return { comment: block.slice(2) }
  const [, id, json] = /^id: (\d+-\d+)\ndata: (.*)$/.exec(block) ?? []
  if (!id || !json) throw new Error(`Not an event of the spec: ${block}`)
  const data = JSON.parse(json) as T
  check(data)
  return { id, data }
}

/** Collects all items until the source ends. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
