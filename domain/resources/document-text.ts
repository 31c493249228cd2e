import type { Document } from './kind.ts'

const texts = new WeakMap<Document, string>()

/** Parses a stored document, and keeps its text. */
export function parseDocumentText(text: string): Document {
  const document = JSON.parse(text) as Document
  texts.set(document, text)
  return document
}

/**
 * Returns a document as JSON, as it is stored. A save needs the text several times, and writing a large one takes
 * milliseconds, so it is kept as long as the document, which must not change afterwards.
 */
export function writeDocumentText(document: Document): string {
  const cachedText = texts.get(document)
  if (cachedText !== undefined) return cachedText
  const text = JSON.stringify(document)
  texts.set(document, text)
  return text
}
