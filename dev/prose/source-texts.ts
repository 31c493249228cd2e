import { type Comment, listChildren, type Node, parseSource } from './syntax.ts'

/**
 * A text for readers in a source file: a comment, or a string with at least three words. `start` and `end` are UTF-16
 * offsets.
 */
export interface SourceText {
  text: string
  start: number
  end: number
}

/** Syntax nodes in which strings are module names, types or code. */
const WITHOUT_PROSE = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSLiteralType',
  'TSImportType',
  'ImportExpression',
  'TaggedTemplateExpression',
])
const DIRECTIVE = /oxlint|eslint|@ts-|prettier-ignore|<reference/
const SQL =
  /^\s*(?:select|insert into|update \w+ (?:\w+ )?set|delete from|with (?:recursive )?\w+ (?:\([^)]*\) )?as|create|alter|drop|grant|revoke|order by|from|left join|join|where|and|or|on conflict|returning|set|values) /i

/**
 * Returns the comments and the prose strings in a TypeScript file, in order. In a template, `${…}` counts as one
 * word.
 */
export function listSourceTexts(path: string, source: string): SourceText[] {
  const { program, comments } = parseSource(path, source)
  const texts = [...listComments(source, comments), ...listStrings(program)]
  return texts.toSorted((a, b) => a.start - b.start)
}

/** Returns the comments as texts. Line comments on consecutive lines form one text. */
function listComments(source: string, comments: Comment[]): SourceText[] {
  const texts: SourceText[] = []
  for (const { type, value, start, end } of comments) {
    if (DIRECTIVE.test(value)) continue
    const text =
      type === 'Line'
        ? value.trim()
        : value
            .replace(/^\*/, '')
            .replaceAll(/^\s*\*(?: {3,}.*| ?)/gm, '')
            .trim()
    const above = texts.at(-1)
    if (
      type === 'Line' &&
      above &&
      /^\n[ \t]*$/.test(source.slice(above.end, start)) &&
      source.startsWith('//', above.start)
    ) {
      above.text += ` ${text}`
      above.end = end
    } else texts.push({ text, start, end })
  }
  return texts
}

function listStrings(root: Node): SourceText[] {
  const texts: SourceText[] = []
  const add = (text: string, { type, start, end }: Node) => {
    // A template with several lines contains SQL, code or styles.
    const isCode = SQL.test(text) || (type !== 'JSXText' && text.trim().includes('\n'))
    if (/\S+ \S+ \S+/.test(text) && !isCode) texts.push({ text: text.replaceAll(/\s+/g, ' ').trim(), start, end })
  }
  const visit = (node: Node): void => {
    if (WITHOUT_PROSE.has(node.type)) return
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, node)
    if (node.type === 'JSXText') add(String(node.value), node)
    if (node.type === 'TemplateLiteral')
      add(
        (node.quasis as { value: { cooked: string | null } }[]).map(quasi => quasi.value.cooked ?? '').join('X'),
        node,
      )
    for (const child of listChildren(node)) visit(child)
  }
  visit(root)
  return texts
}
