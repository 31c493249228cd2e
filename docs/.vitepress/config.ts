import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { withMermaid } from 'vitepress-plugin-mermaid'

const ROOT = join(import.meta.dirname, '../..')

/** The parts of the documentation, in reading order. Pages that a part doesn't list follow by name. */
const PARTS: [title: string, folder: string, first: string[]][] = [
  ['Start', 'docs/start', ['quickstart', 'concepts', 'first-agent', 'first-approval']],
  ['Tutorials', 'docs/tutorials', ['invoice-approval', 'agent-with-tools', 'documents-and-search', 'fix-a-stuck-run']],
  ['Guides', 'docs/guides', []],
  ['Reference', 'docs/reference', ['workflow-format', 'node-types', 'expressions']],
  ['Operate', 'docs/operate', ['install', 'production-checklist']],
  ['Examples', 'examples', []],
]

const titleOf = (path: string) => /^# (.+)$/m.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1] ?? basename(path)
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const linkTo = (path: string) =>
  `/${path
    .replace(/^docs\//, '')
    .replace(/README\.md$/, '')
    .replace(/(index)?\.md$/, '')}`

/** The pages of a folder, with a group for each folder in it. */
function listItems(
  folder: string,
  first: string[],
): { text: string; link?: string; collapsed?: boolean; items?: object[] }[] {
  const rank = (path: string) => (first.indexOf(basename(path, '.md')) + 1 || first.length + 1) * 10
  const pages = globSync(`${folder}/*.md`, { cwd: ROOT }).toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  const folders = globSync(`${folder}/*/`, { cwd: ROOT }).filter(
    path => globSync(`${path}/*.md`, { cwd: ROOT }).length > 0,
  )
  return [
    ...pages.map(path => ({ text: titleOf(path), link: linkTo(path) })),
    ...folders.toSorted().map(path => {
      const items = listItems(path.replace(/\/$/, ''), [])
      return items.length === 1 && items[0] ? items[0] : { text: capitalize(basename(path)), collapsed: true, items }
    }),
  ]
}

/** Links to files that are not pages of the site, such as source code, become plain text. */
const unlinkSources: MarkdownOptions['config'] = markdown => {
  markdown.core.ruler.push('unlink-sources', ({ tokens, env }) => {
    const { realPath, path } = env as { realPath?: string; path: string }
    const isPage = (href: string) => {
      if (/^(?:https?:|mailto:|#|\/)/.test(href)) return true
      const target = relative(ROOT, resolve(dirname(realPath ?? path), href.replace(/#.*/, '')))
      return /^(?:docs|examples)\/.*\.(?:md|html)$/.test(target)
    }
    for (const { children } of tokens) {
      const links: boolean[] = []
      for (const token of children ?? []) {
        if (token.type === 'link_open') links.push(isPage(token.attrGet('href') ?? ''))
        const isLink = token.type === 'link_open' || token.type === 'link_close'
        const isKept = token.type === 'link_close' ? links.pop() : links.at(-1)
        if (isLink && isKept === false) Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '' })
      }
    }
  })
}

export default withMermaid({
  title: 'Ganglion',
  description: 'Durable AI agents and approval workflows. Self-hosted, on Temporal.',
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    '*.md',
    ...['build', 'test', 'dev', 'cli', 'client', '.ganglion'].map(folder => `${folder}/**`),
  ],
  rewrites: path => path.replace(/^docs\//, '').replace(/README\.md$/, 'index.md'),
  outDir: '../build/docs',
  cacheDir: '../build/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  markdown: { config: unlinkSources },
  vite: {
    plugins: [llms({ workDir: '.', ignoreFiles: ['docs/adr/**'] }) as never],
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quickstart', link: '/start/quickstart' },
      { text: 'Guides', link: '/guides/pathways/write-a-workflow' },
      { text: 'Reference', link: '/reference/workflow-format' },
      { text: 'Operate', link: '/operate/install' },
    ],
    sidebar: [
      ...PARTS.map(([text, folder, first]) => ({
        text,
        collapsed: folder !== 'docs/start',
        items: listItems(folder, first),
      })),
      {
        text: 'Background',
        collapsed: true,
        items: ['architecture', 'benchmarks', 'comparison', 'temporal-sdk-internals', 'adr/index']
          .map(name => `docs/${name}.md`)
          .filter(path => globSync(path, { cwd: ROOT }).length > 0)
          .map(path => ({ text: titleOf(path), link: linkTo(path) })),
      },
    ],
  },
})
