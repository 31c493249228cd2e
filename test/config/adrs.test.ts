import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../docs/adr')
const AREAS = new Set(
  [
    'shared runs pathways agents tools people triggers webhooks channels resources documents search speech stakeholders access audit',
    'clients console operate',
  ].flatMap(areas => areas.split(' ')),
)
const MAX_WORDS = 400
const MAX_ENTRIES = 20
const PARTS = ['Context', 'Decision', 'Alternatives', 'Consequences']

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const files = globSync('**/*.md', { cwd: ROOT }).filter(file => file !== 'index.md')
const HEAD = /^# (\d{4}): (.+)\n\nStatus: (accepted|superseded)\. Date: (\d{4}-\d{2}-\d{2})\. Area: (\w+)\.\n/

const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

test.each(files)('%s follows the decision record format', file => {
  const text = read(file)
  const [, number = '', title = '', , , area = ''] = HEAD.exec(text) ?? []
  expect(AREAS).toContain(area)
  expect(file).toBe(`${area}/${number}-${nameOf(title)}.md`)
  const parts = [...text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, name]) => name)
  expect(parts).toEqual(PARTS)
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
  expect(text.match(/^\| -/gm)?.length ?? 0).toBeLessThanOrEqual(1)
})

test('each number is used once', () => {
  const numbers = files.map(file => basename(file).slice(0, 4))
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
})

test('no folder has too many records', () => {
  const counts = Map.groupBy(files, dirname)
  expect([...counts].filter(([, entries]) => entries.length > MAX_ENTRIES)).toEqual([])
})

test('the index lists each record once, with its title, status and date', () => {
  const rows = [...read('index.md').matchAll(/^\| \[(.+?)\]\((.+?)\) +\| (\w+) +\| (\S+) +\|$/gm)]
  const expected = files.map(file => {
    const [, number, title, status, date] = HEAD.exec(read(file)) ?? []
    return [`${number}: ${title}`, file, status, date]
  })
  const inOrder = (records: (string | undefined)[][]) =>
    records.toSorted((a, b) => String(a[1]).localeCompare(String(b[1])))
  expect(inOrder(rows.map(row => row.slice(1)))).toEqual(inOrder(expected))
})
