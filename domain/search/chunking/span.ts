/** A range of a text: UTF-16 offsets with an exclusive end. */
export interface Span {
  start: number
  end: number
}

/** Returns the span without leading and trailing whitespace, or undefined if it contains only whitespace. */
export function trimSpan(text: string, { start, end }: Span): Span | undefined {
  const part = text.slice(start, end)
  const indent = part.length - part.trimStart().length
  return indent === part.length ? undefined : { start: start + indent, end: start + part.trimEnd().length }
}

/** Yields the lines of a span, each with its line ending. */
export function* splitLines(text: string, { start, end }: Span): Generator<Span> {
  const ending = /\r\n|\n|\r/g
  ending.lastIndex = start
  let from = start
  while (from < end) {
    const match = ending.exec(text)
    const to = match ? Math.min(match.index + match[0].length, end) : end
    yield { start: from, end: to }
    from = to
  }
}
