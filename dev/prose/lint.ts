import { TextlintKernelDescriptor } from '@textlint/kernel'
import type { TextlintPluginCreator, TextlintRuleModule } from '@textlint/types'
import markdownPlugin from '@textlint/textlint-plugin-markdown'
import { split } from 'sentence-splitter'
import { createLinter, loadLinterFormatter } from 'textlint'
import { StringSource } from 'textlint-util-to-string'
import { CHECKOUT } from '../machine/folders.ts'
import { CLAUSES, MAX_WORDS, PATTERNS } from './patterns.ts'
import { listSourceTexts } from './source-texts.ts'

/** Markdown files, and the folders whose comments and strings are linted. */
const FILES = [
  '*.md',
  '{docs,examples,cli,client}/**/*.md',
  'dev/extractive/*.md',
  '{api,contract,domain,services,data,search,streams,workflows,activities,config,observability,migrations,deploy,dev}/**/*.ts',
  'cli/src/**/*.ts',
  'client/src/{*.ts,{core,evidence,resources}/**/*.ts}',
  'console/**/*.{ts,tsx}',
]

/** Types of Markdown nodes. */
const [CODE, HEADER, SENTENCE] = ['Code', 'Header', 'Sentence']

/**
 * Reports wording that matches PATTERNS, and sentences with more than MAX_WORDS words. Inline code counts as one
 * word.
 */
const wording: TextlintRuleModule = ({ Syntax, RuleError, report, locator }) => {
  const check = (node: Parameters<typeof report>[0] & { range: readonly [number, number] }) => {
    const text = new StringSource(node as never, {
      replacer: ({ node: { type }, maskValue }) => (type === CODE ? maskValue('c') : undefined),
    }).toString()
    for (const sentence of split(text)) {
      if (sentence.type !== SENTENCE) continue
      const patterns = node.type === HEADER ? PATTERNS : [...PATTERNS, ...CLAUSES]
      const problems = patterns.filter(([pattern]) => pattern.test(sentence.raw)).map(([, advice]) => advice)
      if (sentence.raw.split(/\s+/).length > MAX_WORDS) problems.push(`Use at most ${MAX_WORDS} words in a sentence.`)
      for (const problem of problems)
        report(node, new RuleError(`${problem} In: ${sentence.raw}`, { padding: locator.at(0) }))
    }
  }
  return { [Syntax.Paragraph]: check, [Syntax.Header]: check, [Syntax.TableCell]: check }
}

/** Passes the comments and strings in TypeScript files to textlint, each as a paragraph. */
const typescript: TextlintPluginCreator = {
  Processor: class {
    availableExtensions(): string[] {
      return ['.ts', '.tsx']
    }
    processor() {
      return {
        preProcess(source: string, path = 'source.ts') {
          const lines = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
          const locate = (offset: number) => {
            const line = lines.findLastIndex(start => start <= offset)
            return { line: line + 1, column: offset - (lines[line] ?? 0) }
          }
          const place = (start: number, end: number) => ({
            raw: source.slice(start, end),
            range: [start, end] as [number, number],
            loc: { start: locate(start), end: locate(end) },
          })
          const children = listSourceTexts(path, source).map(({ text, start, end }) =>
            Object.assign(place(start, end), {
              type: 'Paragraph',
              children: [Object.assign(place(start, end), { type: 'Str', raw: text, value: text })],
            }),
          )
          return { type: 'Document', ...place(0, source.length), children } as never
        },
        postProcess: (messages: never[], filePath = '') => ({ messages, filePath }),
      }
    }
  },
}

/** Lints all texts for readers. Resolves with the report, or with undefined if there are no problems. */
export async function lintProse(files: string[] = FILES): Promise<string | undefined> {
  const linter = createLinter({
    cwd: CHECKOUT,
    descriptor: new TextlintKernelDescriptor({
      plugins: [
        { pluginId: 'markdown', plugin: markdownPlugin.default },
        { pluginId: 'typescript', plugin: typescript },
      ],
      rules: [{ ruleId: 'wording', rule: wording }],
      filterRules: [],
    }),
  })
  const results = await linter.lintFiles(files)
  const bad = results.filter(({ messages }) => messages.length > 0)
  if (bad.length === 0) return undefined
  const formatter = await loadLinterFormatter({ formatterName: 'unix' })
  return formatter.format(bad)
}
