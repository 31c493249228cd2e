import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { migrations } from '../../../migrations/all.ts'
import { type Change, type Migration, renderSql } from '../../../migrations/migration.ts'
import { deleteRows } from '../../../migrations/tenant.ts'
import { installPythonPackages } from '../../support/clients/python-packages.ts'

const execute = promisify(execFile)

/** Rules of style, and limits that the runner sets. */
const EXCLUDED = [
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-robust-stmts',
  'prefer-text-field',
  'prefer-timestamptz',
  'require-lock-timeout',
  'require-statement-timeout',
]

let squawk: string
const folder = mkdtempSync(join(tmpdir(), 'migration-rules-'))

beforeAll(async () => {
  squawk = join(dirname(await installPythonPackages('squawk-cli==2.70.0')), 'squawk')
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the names of the rules that the migration breaks. */
async function lint(migration: Migration): Promise<string[]> {
  const file = join(folder, `${migration.id}.sql`)
  writeFileSync(file, renderSql(migration, 'up'))
  const args = ['--pg-version', '15', '--reporter', 'json', '--exclude', EXCLUDED.join(',')]
  if (migration.change.kind !== 'index') args.push('--assume-in-transaction')
  const { stdout } = await execute(squawk, [...args, file]).catch((error: { stdout: string }) => error)
  return (JSON.parse(stdout) as { rule_name: string }[]).map(problem => problem.rule_name)
}

test('ids are times in the past, in ascending order, and file names repeat them', () => {
  const ids = migrations.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  for (const id of ids) expect(id).toBeLessThan(Date.now())
  const files = globSync('[0-9]*.ts', { cwd: join(import.meta.dirname, '../../../migrations') })
  const names = migrations.map(
    ({ id, name }) => `${id}${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
  )
  expect(files.map(file => basename(file, '.ts')).toSorted()).toEqual(names.toSorted())
})

test('the former version can serve during and after every migration', async () => {
  for (const migration of migrations) expect([migration.name, await lint(migration)]).toEqual([migration.name, []])
})

const schema = (up: string): Change => ({ kind: 'schema', up, down: null })

test.each<[rule: string, change: Change]>([
  ['renaming-column', schema('alter table jobs rename column status to state')],
  ['ban-drop-column', schema('alter table jobs drop column status')],
  ['ban-drop-table', schema('drop table jobs')],
  ['adding-required-field', schema('alter table jobs add column note text not null')],
  ['changing-column-type', schema('alter table jobs alter column status type varchar')],
  ['require-concurrent-index-creation', schema('create index jobs_by_note on jobs (note)')],
  ['constraint-missing-not-valid', schema('alter table jobs add constraint short check (length(note) < 9)')],
])('a migration that breaks %s is found', async (rule, change) => {
  expect(await lint({ id: 1, name: 'Bad', oldestVersion: '0.1.0', change })).toContain(rule)
})

/** A statement that changes rows, except in a function body or between the statements that `deleteRows` adds. */
const findRowChanges = (sql: string): RegExpMatchArray | null =>
  sql
    .replaceAll(/\$\$.*?\$\$|--.*?$/gms, '')
    .replaceAll(/ no force (row level security);\ndelete from (\w+) where [^;]+;\nalter table \2 force \1;/g, '')
    .match(/\b(?:delete from|insert into|merge into|update \w+ set)\b.*/i)

test('schema migrations change rows only where they see them', () => {
  for (const migration of migrations.filter(({ change }) => change.kind === 'schema'))
    for (const direction of ['up', 'down'] as const)
      expect([migration.name, findRowChanges(renderSql(migration, direction))]).toEqual([migration.name, null])
  expect(findRowChanges(deleteRows('files', 'true'))).toBeNull()
  expect(findRowChanges('alter table files add column note text; delete from files where true;')).not.toBeNull()
})

test('new tables, nullable columns and concurrent indexes are accepted', async () => {
  const changes: Change[] = [
    schema('create table notes (id uuid primary key, text text not null); create index notes_by_text on notes (text)'),
    schema('alter table jobs add column note text'),
    { kind: 'index', index: 'jobs_by_note', definition: 'on jobs (workspace_id, note)' },
  ]
  for (const change of changes) expect(await lint({ id: 1, name: 'Good', oldestVersion: '0.1.0', change })).toEqual([])
})
