const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const PAGE_MARK = /^[-–— ]*page \d+(?: (?:of|\/) \d+)?[-–— ]*$/i

/** Splits a text into paragraphs at blank lines and page breaks. */
export function paragraphs(text: string): string[] {
  return text
    .split(/\f|\r?\n[ \t]*(?:\r?\n[ \t]*)+/)
    .map(part => part.trim())
    .filter(Boolean)
}

/** Returns the quotable parts of a text in order: sentences from prose, and lines from forms, tables and lists. */
export function passages(text: string): string[] {
  return paragraphs(text)
    .flatMap(paragraph => (isProse(paragraph) ? splitSentences(paragraph) : paragraph.split('\n').flatMap(splitFields)))
    .map(passage => passage.trim().replaceAll(/\s{2,}|\t/g, '  '))
    .filter(passage => /[\p{L}\p{N}]/u.test(passage) && !PAGE_MARK.test(passage))
}

/**
 * Returns true for prose, in which sentences can continue across line breaks. A form is recognized by gaps, short
 * lines and colons.
 */
function isProse(paragraph: string): boolean {
  const lines = paragraph.split('\n')
  if (lines.length === 1) return !/\S {2,}\S|\t/.test(paragraph)
  const formLike = lines.filter(line => /\S(?: {2,}|\t)\S|:\s*$|^\s*(?:[-*•]|\d+[.)])\s|^[^.:]{1,40}:\s/.test(line))
  const long = lines.slice(0, -1).filter(line => line.length >= 50)
  return formLike.length === 0 && long.length >= (lines.length - 1) / 2
}

/** Splits a line with two columns of a form if the second column starts with a label. */
const splitFields = (line: string): string[] => line.split(/(?:(?<! ) {2,}|\t)(?=[^\s:\d][^:\d]{0,40}:(?:\s|$))/)

function splitSentences(paragraph: string): string[] {
  const joined = paragraph
    .split('\n')
    .map(line => line.trim())
    .join(' ')
  return Array.from(sentences.segment(joined), ({ segment }) => segment)
}
