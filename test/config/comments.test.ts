import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Comments state contracts, so the identifiers in them must exist. */

const ROOT = join(import.meta.dirname, '../..')
const COMMENT = /\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g
const DOCUMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*@param (?:(?!\*\/)[\s\S])*)\*\/([\s\S]{0,600})/g

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.sql', '*.json'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter(path => existsSync(join(ROOT, path)) && !path.includes('package-lock'))
  .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const code = sources.filter(({ path }) => /\.tsx?$/.test(path))

test('every identifier in a comment exists in the code', () => {
  const identifiers = new Set(
    sources.flatMap(({ text }) => text.replace(COMMENT, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []),
  )
  const mentions = code.flatMap(({ path, text }) =>
    (text.match(COMMENT) ?? []).flatMap(comment =>
      [...comment.matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, name = '']) => ({ path, name })),
    ),
  )
  expect(mentions.length).toBeGreaterThan(80)
  expect(mentions.filter(({ name }) => !identifiers.has(name))).toEqual([])
})

test('every parameter described in a comment exists in the function below it', () => {
  const described = code.flatMap(({ path, text }) =>
    [...text.matchAll(DOCUMENTED)].flatMap(([, comment = '', below = '']) =>
      [...comment.matchAll(/@param (?!options\b)(\w+)/g)].map(([, name = '']) => ({ path, name, below })),
    ),
  )
  expect(described.length).toBeGreaterThan(50)
  const missing = described.filter(({ name, below }) => !new RegExp(`\\b${name}\\b`).test(below))
  expect(missing.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
})
