import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { quoteInexactNumbers } from '../../../domain/shared/json/parsing/exact-numbers.ts'

/** Lines of a stream of events that hold no JSON. */
const NO_DATA = /^(?:id|event|retry|):/

/**
 * Passes on a body of JSON, or a stream of events, in which numbers that parsing would change are strings. The MCP client parses
 * it itself. No token of JSON reaches over the end of a line.
 */
export const quoteNumbers = (body: Readable): Readable => Readable.from(quoteLines(body), { objectMode: false })

async function* quoteLines(body: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const text = decoder.write(chunk)
    const end = text.lastIndexOf('\n') + 1
    pieces.push(text.slice(0, end || text.length))
    if (end === 0) continue
    yield quoteText(pieces.join(''))
    pieces = [text.slice(end)]
  }
  yield quoteText(pieces.join('') + decoder.end())
}

const quoteText = (text: string): string =>
  text
    .split('\n')
    .map(line => (NO_DATA.test(line) ? line : quoteInexactNumbers(line)))
    .join('\n')
