import { type TextFormat, decodeSource } from './format.ts'

/** The title is within this number of characters. */
const HEAD_CHARS = 20_000
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm

/** Returns Markdown unchanged. The title is that of the front matter, else the first heading of the first level. */
export const markdown: TextFormat = reading => {
  const text = decodeSource(reading)
  const head = text.slice(0, HEAD_CHARS)
  const frontMatter = FRONT_MATTER.exec(head)
  const fields = parseFields(frontMatter?.[1] ?? '')
  const body = head.slice(frontMatter?.[0].length ?? 0)
  const { title, author, date, created = date, language } = fields
  return { text, title: title ?? firstHeading(body), metadata: { author, created, language } }
}

/** Parses the plain `name: value` lines of YAML. Nested values are ignored. */
function parseFields(yaml: string): Record<string, string> {
  const fields = yaml.matchAll(/^([A-Za-z][\w-]*):[ \t]+(\S.*)$/gm)
  return Object.fromEntries(
    [...fields].map(([, name = '', value = '']) => [name.toLowerCase(), stripQuotes(value.trim())]),
  )
}

const stripQuotes = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

function firstHeading(body: string): string | undefined {
  const line = /^# +(\S.*)$/m.exec(body.replaceAll(FENCED, ''))?.[1]
  // Begins at the first of several spaces only, so that a long row of them takes no square of time.
  return line?.trimEnd().replace(/(?<! ) +#+$/, '')
}
