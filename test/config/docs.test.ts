import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = new URL('../../', import.meta.url).pathname
const PAGES = globSync(['*.md', 'docs/**/*.md', 'client/*.md', 'cli/*.md'], { cwd: ROOT })
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const withoutCode = (text: string) => text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** The anchors that Markdown renderers derive from the headings of a page. */
const anchorsOf = (path: string) =>
  new Set(
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

test.each(PAGES)('all links in %s lead to an existing page and heading', page => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const dead = links.filter(link => {
    if (/^[a-z]+:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(ROOT, target))) return true
    return anchor !== undefined && statSync(join(ROOT, target)).isFile() && !anchorsOf(target).has(anchor)
  })
  expect(dead).toEqual([])
})

test.each([
  ['README.md', /```yaml\n([\s\S]*?)```/, 'dev/samples/refund.yaml'],
  ['docs/start/first-approval.md', /```yaml file=refund.yaml\n([\s\S]*?)```/, 'dev/samples/refund.yaml'],
  ['docs/tutorials/fix-a-stuck-run.md', /```yaml file=booking.yaml\n([\s\S]*?)```/, 'dev/samples/booking.yaml'],
])('the workflow in %s is a sample', (page, block, sample) => {
  expect(block.exec(read(page))?.[1]).toBe(read(sample))
})

test('the documentation map links to every page', () => {
  const links = new Set(
    [...read('docs/index.md').matchAll(/\]\(([^)\s]+\.md)/g)].map(([, link = '']) => join('docs', link)),
  )
  const pages = PAGES.filter(page => /^docs\/(?!index\.md|adr\/|operate\/runbooks\/)/.test(page))
  expect(pages.length).toBeGreaterThan(60)
  expect(pages.filter(page => !links.has(page))).toEqual([])
})

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('the files named in %s exist', page => {
  const paths = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|tsx|mjs|sql|md|json))`/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(5)
  expect(
    paths.filter(path => !['', 'domain', 'workflows/shared'].some(base => existsSync(join(ROOT, base, path)))),
  ).toEqual([])
})

describe('the list of architecture files in reading order', () => {
  const [, section = ''] = /^## Where to start reading\n([\s\S]*?)^## /m.exec(read('docs/architecture.md')) ?? []
  const chains = section.split(/^### /m).slice(1)

  test.each(chains.map(chain => [chain.split('\n', 1)[0] ?? '', chain]))('%s', (_, chain) => {
    const rows = [...chain.matchAll(/^\| `([\w/.-]+)`( \(entry\))? /gm)]
    expect(rows.length).toBeGreaterThan(9)
    const files = rows.map(([, file = '']) => file)
    const stray = rows.flatMap(([, file = '', isEntry], i) =>
      isEntry || files.slice(0, i).some(above => listImports(above).has(file)) ? [] : [file],
    )
    expect(stray).toEqual([])
  })
})

/** Returns the files that a source file imports, relative to the root. */
const listImports = (file: string) =>
  new Set([...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path)))
