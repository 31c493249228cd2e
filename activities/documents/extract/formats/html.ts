import { markdownFromHtml } from '../markdown/from-html.ts'
import { BoundedText } from '../../../../services/documents/reading/text.ts'
import { type Format, decodeSource } from '../../../../services/documents/reading/formats/format.ts'

/** Converts HTML to Markdown, without scripts, styles, navigation or hidden content. */
export const html: Format = reading => {
  const out = new BoundedText(reading.limits.textChars)
  const { title, language, meta } = markdownFromHtml(decodeSource(reading), out)
  const text = out.toString()
  return {
    text,
    title: title?.trim() || meta.get('og:title') || /^# (.+)$/m.exec(text)?.[1],
    metadata: {
      author: meta.get('author'),
      description: meta.get('description') ?? meta.get('og:description'),
      keywords: meta.get('keywords'),
      created: meta.get('article:published_time') ?? meta.get('date'),
      language,
    },
  }
}
