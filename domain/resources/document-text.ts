import type { Document } from './kind.ts'

const texts = new WeakMap<Document, string>()

/** Parses a stored document and caches its text. */
export function parseDocumentText(text: string): Document {
  const document = JSON.parse(text) as Document
  texts.set(document, text)
  return document
}

/**
 * Returns a document as the JSON that is stored. A save needs the text several times, and serializing a large
 * document takes milliseconds, so the text is cached with the document object. Don't modify the document afterwards.
 */
export function writeDocumentText(document: Document): string {
  const cachedText = texts.get(document)
  if (cachedText !== undefined) return cachedText
  const text = JSON.stringify(document)
  texts.set(document, text)
  return text
}
