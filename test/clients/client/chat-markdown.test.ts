import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { CHECKOUT } from '../../../dev/machine/folders.ts'

let render: (text: string) => string
const folder = mkdtempSync(join(tmpdir(), 'ganglion-markdown-'))
const outfile = join(folder, 'markdown.mjs')
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  await build({
    stdin: {
      contents: `
        import { createElement } from 'react'
        import { renderToStaticMarkup } from 'react-dom/server.edge'
        import { Markdown } from '../client/src/react/markdown.tsx'
        export const render = text => renderToStaticMarkup(createElement(Markdown, { text }))`,
      resolveDir: join(CHECKOUT, 'console'),
    },
    bundle: true,
    outfile,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  ;({ render } = (await import(outfile)) as { render: typeof render })
})

test.each([
  ['Two\nlines\n\nand **bold** text', '<p>Two<br/>lines</p><p>and <strong>bold</strong> text</p>'],
  ['## Hours\nten', '<p><strong>Hours</strong></p><p>ten</p>'],
  ['- a\n- *b*\n  1. c\n  2. d', '<ul><li>a</li><li><em>b</em><ol start="1"><li>c</li><li>d</li></ol></li></ul>'],
  ['3) x', '<ol start="3"><li>x</li></ol>'],
  ['```js\n<b>1</b>\n```\nend', '<pre tabindex="0"><code>&lt;b&gt;1&lt;/b&gt;</code></pre><p>end</p>'],
  ['> a\n> b', '<blockquote><p>a<br/>b</p></blockquote>'],
  ['use `a*b*c`', '<p>use <code>a*b*c</code></p>'],
  ['2 * 3 * 4 = 24', '<p>2 * 3 * 4 = 24</p>'],
  [
    'see https://example.com/a?b=c.',
    '<p>see <a href="https://example.com/a?b=c" target="_blank" rel="noopener noreferrer nofollow">https://example.com/a?b=c</a>.</p>',
  ],
  ['```\nopen', '<pre tabindex="0"><code>open</code></pre>'],
  ['', ''],
])('%j is rendered as elements', (text, html) => {
  expect(render(text)).toBe(html)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<b>)',
  '[x](JaVaScRiPt:alert(1))',
  '`<b>`',
  '[x](https://a.example/"onclick="alert(1))',
])('%j creates no element other than links and code', text => {
  const tags = render(text).match(/<[a-z]+/g) ?? []
  expect(new Set(tags).difference(new Set(['<p', '<code', '<a']))).toEqual(new Set())
  expect(render(text)).not.toMatch(/href="(?!https?:|mailto:)|\sonclick=/i)
})

test('unusual texts are rendered in time that grows with their length', () => {
  for (const text of ['[', '*', '`', '> ', '**', '[a](', '- ', '- a\n  '].map(piece => piece.repeat(20_000)))
    expect(render(text).length).toBeGreaterThan(0)
})
