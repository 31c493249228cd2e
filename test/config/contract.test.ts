import { existsSync, readFileSync } from 'node:fs'
import { createContract } from '../support/clients/contract.ts'

/** test/contract.md refers to tests, and the test client checks responses. Both are checked here. */

const TESTS = new URL('../', import.meta.url)
const PAGE = new URL('../contract.md', import.meta.url)
const NOT_IN_SCOPE = '## Not yet in scope'

/** Matches group and test titles: the first text argument of a call, before a function. */
const TITLE = /\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:async |\(|\w+ =>)/g

function listRows(): { statement: string; tests: string[] }[] {
  const [page = ''] = readFileSync(PAGE, 'utf8').split(NOT_IN_SCOPE)
  const rows = page.split('\n').filter(line => /^\| (?!Statement|-)/.test(line))
  return rows.map(row => {
    const [statement = '', tests = ''] = row.slice(1, -1).split(' | ')
    return { statement: statement.trim(), tests: tests.trim().split('<br>') }
  })
}

/** Returns the part of a reference that does not exist, or undefined. */
function findMissing(reference: string): string | undefined {
  const [, path = '', names = ''] = /^`([\w./-]+)` › (.+)$/.exec(reference) ?? []
  const file = new URL(path, TESTS)
  if (path === '' || !existsSync(file)) return reference
  const titles = new Set([...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, , title]) => title))
  return names.split(' › ').find(name => !titles.has(name))
}

test('every statement in test/contract.md refers to tests that exist', () => {
  const rows = listRows()
  expect(rows.length).toBeGreaterThan(80)
  const missing = rows.flatMap(({ statement, tests }) =>
    tests.flatMap(reference => (findMissing(reference) === undefined ? [] : [`${statement}: ${reference}`])),
  )
  expect(missing).toEqual([])
})

test('a response that the document does not describe fails its test', () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const content = { 'application/json': { schema } }
  const contract = createContract({ paths: { '/v1/things/{id}': { get: { responses: { 200: { content } } } } } })
  const exchange = { method: 'GET', path: '/v1/things/7?x=1', status: 200, body: { id: 'a' }, isJson: true }
  expect(() => contract.check(exchange)).not.toThrow()
  expect(() => contract.check({ ...exchange, status: 404 })).toThrow('is not in the document')
  expect(() => contract.check({ ...exchange, body: { id: 7 } })).toThrow('does not fit')
})
