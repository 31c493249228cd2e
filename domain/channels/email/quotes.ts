/** `On Monday, Ann wrote:` in one line, or in two if a client has wrapped it. */
const INTRODUCTION = /(?:^|\n)(?:(?:On|Am|Le|El|Il|Op|Den) [^\n]*\n)?[^\n]*:$/

/** Removes the quoted mail at the end of an answer, with the line that introduces it. */
export function removeQuote(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n')
  let end = lines.length
  while (end > 0 && isQuoted(lines[end - 1] ?? '')) end--
  if (end === lines.length) return lines.join('\n')
  const written = lines.slice(0, end).join('\n').trimEnd()
  return written.replace(INTRODUCTION, '').trimEnd()
}

const isQuoted = (line: string): boolean => line.startsWith('>') || line.trim() === ''
