/** A document as a run reads it: which bytes, and what they are. Small: it travels in the run's history. */
export interface DocumentRef {
  asset_id: string
  version: number
  title: string
  /** Of the bytes; they are in the store of contents. */
  sha256: string
  size: number
  media_type: string
  charset?: string
  file_name?: string
}

/** What is known of a document's text. */
export interface TextFacts {
  /** Of what comes in pages. */
  pages: number | null
  /** UTF-16 units. */
  characters: number
}

/** What an ingest ends with. */
export type IngestResult = Pick<DocumentRef, 'asset_id' | 'version' | 'media_type'> & TextFacts

const MAX_TITLE_CHARS = 200

/** What a document can be called when nobody has said it. */
export interface TitleSources {
  file_name?: string
  /** How its text begins. */
  start?: string
  source_key?: string
}

/** A title of one line: the file's name without its extension, how the text begins, or the last part of the source's. */
export function deriveTitle({ file_name = '', start = '', source_key = '' }: TitleSources): string {
  const stem = file_name.replace(/(?<=.)\.[^.\s]{1,10}$/, '')
  const firstLine = start.split('\n').map(removeMarks).find(Boolean) ?? ''
  const source = source_key.split(/[/\\]/).findLast(Boolean) ?? ''
  return [stem, firstLine, source].map(toTitleLine).find(Boolean) ?? 'Untitled document'
}

/** A line of Markdown as people read it: without the marks of headings, lists and emphasis. */
const removeMarks = (line: string): string => line.replaceAll(/^[\s\uFEFF#>+-]+|[*`]+|[\s#]+$/g, '').trim()

function toTitleLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.slice(0, MAX_TITLE_CHARS).toWellFormed().trim()
}
