import { cleanTitle } from '../shared/text/title.ts'

/** Reference to a document in a run. It is small because Temporal stores it in the workflow history. */
export interface DocumentRef {
  asset_id: string
  version: number
  title: string
  /** SHA-256 of the bytes, which are in the content store. */
  sha256: string
  size: number
  media_type: string
  charset?: string
  file_name?: string
}

/**
 * Returns the media type with the charset, under which extracted text is stored. The same bytes yield different text
 * in another charset.
 */
export const formatReadType = ({
  media_type,
  charset = 'utf-8',
}: Pick<DocumentRef, 'media_type' | 'charset'>): string =>
  charset === 'utf-8' ? media_type : `${media_type}; charset=${charset}`

/** Properties of a document's text. */
export interface TextFacts {
  /** Number of pages. Null for formats without pages. */
  pages: number | null
  /** Length in UTF-16 units. */
  characters: number
}

/** Result of ingesting a document. */
export type IngestResult = Pick<DocumentRef, 'asset_id' | 'version' | 'media_type'> & TextFacts

/** Sources from which to derive a title for an untitled document. */
export interface TitleSources {
  file_name?: string | null
  /** Beginning of the text. */
  start?: string
  source_key?: string | null
}

/** Titles that programs write when the author has set none: a file name or the program's name. */
const NO_TITLE =
  /^(?:untitled|document|microsoft (?:word|powerpoint|excel))(?![\p{L}])|\.(?:docx?|pdf|html?|tex|dvi|md|txt)$/iu

/** Returns the document's embedded title if it is usable as an asset title, otherwise undefined. */
export function findDocumentTitle(title: string): string | undefined {
  const line = cleanTitle(title)
  return line === '' || NO_TITLE.test(line) ? undefined : line
}

/** Derives a one-line title from the file name without its extension, the beginning of the text, or the source key. */
export function deriveTitle({ file_name, start = '', source_key }: TitleSources): string {
  const stem = (file_name ?? '').replace(/(?<=.)\.[^.\s]{1,10}$/, '')
  const firstLine = start.split('\n').map(removeMarks).find(Boolean) ?? ''
  const source = (source_key ?? '').split(/[/\\]/).findLast(Boolean) ?? ''
  return [stem, firstLine, source].map(text => cleanTitle(text)).find(Boolean) ?? 'Untitled document'
}

/** Removes heading, list and emphasis markers from a line of Markdown. */
const removeMarks = (line: string): string => line.replaceAll(/^[\s\uFEFF#>+-]+|[*`]+|[\s#]+$/g, '').trim()
