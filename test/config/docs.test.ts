import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = new URL('../../', import.meta.url).pathname
const PAGES = globSync(['*.md', 'docs/**/*.md', 'client/*.md', 'cli/*.md'], { cwd: ROOT })
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const withoutCode = (text: string) => text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** The anchors of a page as Markdown readers make them from its headings. */
const anchorsOf = (path: string) =>
  new Set(
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

test.each(PAGES)('all links of %s lead to a page and a heading', page => {
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

test('the workflow of the README is the sample that its commands apply', () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(read('README.md')) ?? []
  expect(example).toBe(read('dev/samples/refund.yaml'))
})

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('the files that %s names exist', page => {
  const paths = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|tsx|mjs|sql|md|json))`/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(5)
  expect(
    paths.filter(path => !['', 'domain', 'workflows/shared'].some(base => existsSync(join(ROOT, base, path)))),
  ).toEqual([])
})

describe('the files of the architecture in reading order', () => {
  const [, section = ''] = /^## Where to begin reading\n([\s\S]*?)^## /m.exec(read('docs/architecture.md')) ?? []
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

/** The files that a source file imports, from the root. */
const listImports = (file: string) =>
  new Set([...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path)))
