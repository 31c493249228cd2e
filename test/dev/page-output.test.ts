import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { CHECKOUT } from '../../dev/machine/folders.ts'
import { matchesOutput } from '../support/docs/matches-output.ts'
import { readSteps } from '../support/docs/page.ts'

test.each([
  ['the same text', 'approve by user:demo', 'approve by user:demo', true],
  ['another text', 'approve by user:demo', 'reject by user:demo', false],
  ['more text', 'created', 'created twice', false],
  [
    'another id',
    'job refund-895cf220-2363-425d-b592-9132397fba7a',
    'job refund-01a22203-24bd-7c79-9293-9b3f3b6823cc',
    true,
  ],
  [
    'another workflow',
    'refund-895cf220-2363-425d-b592-9132397fba7a',
    'order-895cf220-2363-425d-b592-9132397fba7a',
    false,
  ],
  ['another time', 'due 2026-11-30T11:57:56.656Z', 'due 2027-01-02T03:04:05.678Z', true],
  ['another duration', 'ready after 73 ms', 'ready after 1.2 s', true],
  ['another port and version', '127.0.0.1:8080 has 0.1.0', '127.0.0.1:18083 has 0.2.0', true],
  ['other widths of columns', 'ID   KIND', 'ID\tKIND', true],
  ['another amount', 'Refund 120 EUR?', 'Refund 121 EUR?', false],
  ['any text in a line', 'ok  service ...', 'ok service http://127.0.0.1 is ok', true],
  ['a text before any text', 'ok  service ...', 'failed service', false],
  ['any lines', 'first\n...\nlast', 'first\nsecond\nthird\nlast', true],
  ['no lines as any lines', 'first\n...\nlast', 'first\nlast', true],
  ['a missing line after any lines', 'first\n...\nlast', 'first\nsecond', false],
  ['colors and a progress bar', 'done', '\u001B[32m1/2\r\u001B[K\u001B[32mdone\u001B[0m\r\n', true],
])('output with %s', (_, shown, printed, isMatch) => {
  expect(matchesOutput(shown.split('\n'), `${printed}\n`)).toBe(isMatch)
})

test('a page yields the commands in its console blocks and the files in its blocks with a file name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ganglion-page-'))
  const page = join(folder, 'page.md')
  const lines = [
    '# Page',
    '```yaml file=a.yaml',
    'kind: skill',
    '```',
    '```console',
    '$ ganglion apply -f a.yaml \\',
    '>   --dry-run',
    'would create',
    '',
    '$ true',
    '```',
    '```bash',
    '$ npm start',
    '```',
  ]
  writeFileSync(page, lines.join('\n'))
  expect(readSteps(relative(CHECKOUT, page))).toEqual([
    { type: 'file', name: 'a.yaml', text: 'kind: skill\n' },
    { type: 'command', line: 6, command: 'ganglion apply -f a.yaml \\\n  --dry-run', output: ['would create'] },
    { type: 'command', line: 10, command: 'true', output: [] },
  ])
  rmSync(folder, { recursive: true })
})
