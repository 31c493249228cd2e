import { type TextFormat, decodeSource } from './format.ts'

/** The title must appear within this number of characters. */
const HEAD_CHARS = 20_000
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm

/** Returns Markdown unchanged. The title comes from the front matter or the first level-one heading. */
export const markdown: TextFormat = reading => {
  const text = decodeSource(reading)
  const head = text.slice(0, HEAD_CHARS)
  const frontMatter = FRONT_MATTER.exec(head)
  const fields = parseFields(frontMatter?.[1] ?? '')
  const body = head.slice(frontMatter?.[0].length ?? 0)
  const { title, author, date, created = date, language } = fields
  return { text, title: title ?? firstHeading(body), metadata: { author, created, language } }
}

/** Parses simple `name: value` lines in YAML. Nested values are ignored. */
function parseFields(yaml: string): Record<string, string> {
  const fields = yaml.matchAll(/^([A-Za-z][\w-]*):[ \t]+(\S.*)$/gm)
  return Object.fromEntries(
    [...fields].map(([, name = '', value = '']) => [name.toLowerCase(), stripQuotes(value.trim())]),
  )
}

const stripQuotes = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

function firstHeading(body: string): string | undefined {
  const line = /^# +(\S.*)$/m.exec(body.replaceAll(FENCED, ''))?.[1]
  // Matches only from the first of several spaces, to avoid quadratic time for long runs of spaces.
  return line?.trimEnd().replace(/(?<! ) +#+$/, '')
}
