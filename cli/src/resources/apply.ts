import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { stringify } from 'yaml'
import { addCommand, type Context, option } from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'
import { readWanted, renderWanted, type Wanted } from './files.ts'
import {
  createStored,
  deleteStored,
  type DryRunResult,
  dryRunSaves,
  type Fields,
  findStored,
  listSlugs,
  readStored,
  type Served,
  type Stored,
  toCatalog,
  toOrder,
  updateStored,
  type Warning,
} from './kinds.ts'
import { isSame, sortKeys } from './same.ts'

interface Change {
  action: 'create' | 'update' | 'delete' | 'unchanged'
  kind: string
  slug: string
  /** Fields of an update. */
  changed?: string[]
  /** The version that it has, or had before a dry run. */
  version?: number
  /** What the service warns of after a save. */
  warnings?: Warning[]
}

interface Plan extends Change {
  wanted?: Wanted
  stored?: Stored
}

interface ApplyOptions {
  file: string
  prune?: boolean
  dryRun?: boolean
}

const fileOption = () => option('-f, --file <path>', 'a file, a folder, or - for stdin').makeOptionMandatory()

/** `apply`, `diff` and `pull`: resources as files. */
export function add(program: Command): void {
  addCommand<ApplyOptions>(program, {
    name: 'apply',
    example: 'apply -f ganglion/ --dry-run\napply -f pathway.yaml',
    options: [
      fileOption(),
      option('--prune', 'delete resources of these kinds that no file describes'),
      option('--dry-run', 'validate the files on the service, and show what would be done'),
    ],
    run: apply,
  })
  addCommand<{ file: string }>(program, {
    name: 'diff',
    example: 'diff -f ganglion/',
    options: [fileOption()],
    run: diff,
  })
  addCommand<{ out: string; force?: boolean }>(program, {
    name: 'pull <kind>',
    example: 'pull pathways --out ganglion/\npull pathways/invoice-approval',
    options: [
      option('--out <dir>', 'the folder; a folder for each kind is made in it').default('.'),
      option('--force', 'replace the values of files that differ'),
    ],
    run: pull,
  })
}

/** Reads the files, and names those of the folder that are not read. */
async function readFiles(context: Context, path: string): Promise<Wanted[]> {
  const { wanted, skipped } = await readWanted(path)
  for (const { file, reason } of skipped) context.say(`skipped ${file}: ${reason}`)
  return wanted
}

async function apply(context: Context, _: string[], { file, prune, dryRun }: ApplyOptions): Promise<void> {
  const client = await context.client()
  const wanted = await readFiles(context, file)
  if (dryRun) {
    const plans = [...(await previewPlans(client, wanted)), ...(prune ? await planDeletions(client, wanted) : [])]
    const changes = plans.map(toChange)
    return context.print(changes, all => all.map(change => `${describe(change, true)}\n`).join(''))
  }
  const plans = [...(await buildPlans(client, wanted)), ...(prune ? await planDeletions(client, wanted) : [])]
  const deletions = plans.filter(({ action }) => action === 'delete')
  if (deletions.length > 0)
    await context.confirm(`Delete these?\n${deletions.map(({ kind, slug }) => `  ${kind}/${slug}`).join('\n')}`)
  const changes: Change[] = []
  let pending = plans
  // What refers to a resource of the same files is saved once that is there.
  while (pending.length > 0) {
    const failed: [Plan, unknown][] = []
    for (const plan of pending) {
      try {
        changes.push(await execute(client, plan))
      } catch (error) {
        failed.push([plan, error])
      }
    }
    const { APIError } = await import('@ganglion/client')
    const [first] = failed
    if (first && (failed.length === pending.length || !APIError.is(first[1], 'VALIDATION_ERROR'))) {
      for (const change of changes) context.say(describe(change, false))
      throw addPlace(first[0], first[1])
    }
    pending = failed.map(([plan]) => plan)
  }
  await context.print(changes, all => all.map(change => `${describe(change, false)}\n`).join(''))
}

async function diff(context: Context, _: string[], { file }: { file: string }): Promise<void> {
  const plans = await previewPlans(await context.client(), await readFiles(context, file))
  await context.print(
    plans.map(plan => ({ ...toChange(plan), patch: renderPatch(plan) })),
    all => all.map(({ patch }) => patch).join(''),
  )
  if (plans.every(({ action }) => action === 'unchanged')) context.say('No differences')
  // As for the command diff.
  else throw new CliError(EXIT.error, '')
}

/** Lets the service validate the files. Throws for problems; else returns what a save would change. */
async function previewPlans(client: Ganglion, files: Wanted[]): Promise<Plan[]> {
  const wanted = files.toSorted((a, b) => toOrder(a.kind) - toOrder(b.kind))
  const results = await dryRunSaves(client, wanted)
  const invalid = wanted.flatMap(({ kind, slug, file }, i) => {
    const { action, problems } = results[i] as DryRunResult
    if (action !== 'invalid') return []
    return problems.map(({ pointer, message }) => ({ pointer: `${kind}/${slug} (${file}) ${pointer || '/'}`, message }))
  })
  if (invalid.length > 0) throw new CliError(EXIT.usage, 'The files have problems', { details: invalid })
  const plans: Plan[] = []
  for (const [i, { kind, slug, file }] of wanted.entries()) {
    const { action, version, fields = {} } = results[i] as DryRunResult & { action: Plan['action'] }
    const stored = action === 'create' ? undefined : await readStored(client, kind, slug)
    const changed = stored && Object.keys(fields).filter(name => !isSame(fields[name], stored.fields[name]))
    plans.push({
      action,
      kind,
      slug,
      changed,
      version: version ?? undefined,
      wanted: { kind, slug, fields, file },
      stored,
    })
  }
  return plans
}

async function planDeletions(client: Ganglion, wanted: Wanted[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const kind of new Set(wanted.map(one => one.kind)))
    for (const slug of await listSlugs(client, kind))
      if (!wanted.some(one => one.kind === kind && one.slug === slug))
        plans.push({ action: 'delete', kind, slug, stored: await findStored(client, kind, slug) })
  return plans
}

/** Reads what is there and compares. */
async function buildPlans(client: Ganglion, wanted: Wanted[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const one of wanted.toSorted((a, b) => toOrder(a.kind) - toOrder(b.kind))) {
    const { kind, slug, fields } = one
    const stored = await findStored(client, kind, slug)
    const changed = stored ? Object.keys(fields).filter(name => !isSame(fields[name], stored.fields[name])) : undefined
    const action = !stored ? 'create' : changed?.length ? 'update' : 'unchanged'
    plans.push({ action, kind, slug, changed, version: stored?.version, wanted: one, stored })
  }
  return plans
}

async function execute(client: Ganglion, plan: Plan): Promise<Change> {
  const { action, kind, slug, wanted, stored, changed = [] } = plan
  if (action === 'unchanged') return toChange(plan)
  if (action === 'delete') {
    await deleteStored(client, kind, slug)
    return toChange(plan)
  }
  const fields = wanted?.fields ?? {}
  if (!stored) return { ...toChange(plan), ...toSaved(await createStored(client, kind, slug, fields)) }
  const changes = Object.fromEntries(changed.map(name => [name, fields[name] ?? null]))
  const { version, warnings } = toSaved(await updateStored(client, kind, stored, changes))
  // Fields that are only written, such as an OpenAPI document, show by the version whether they were another one.
  return {
    ...toChange(plan),
    version,
    ...(warnings && { warnings }),
    action: version === stored.version ? 'unchanged' : 'update',
  }
}

const toSaved = ({ version, warnings }: Served) => ({ version, ...(warnings && { warnings }) })

const toChange = ({ action, kind, slug, changed, version }: Plan): Change => ({
  action,
  kind,
  slug,
  ...(action === 'update' && { changed }),
  version,
})

const PAST = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' }

function describe({ action, kind, slug, changed, version, warnings = [] }: Change, isDry: boolean): string {
  const verb = isDry && action !== 'unchanged' ? `would ${action}` : PAST[action]
  const now = version !== undefined && !(isDry && action !== 'unchanged') ? ` (version ${version})` : ''
  const lines = warnings.map(({ pointer, message }) => `\n  warning\t${pointer}\t${message}`)
  return `${verb} ${kind}/${slug}${changed?.length ? `: ${changed.join(', ')}` : ''}${now}${lines.join('')}`
}

function addPlace({ kind, slug, wanted }: Plan, error: unknown): unknown {
  if (error instanceof Error) error.message = `${kind}/${slug}${wanted ? ` (${wanted.file})` : ''}: ${error.message}`
  return error
}

function renderPatch({ action, kind, slug, wanted, stored, changed }: Plan): string {
  if (action === 'unchanged') return ''
  const name = `${kind}/${slug}`
  const pick = (fields: Fields | undefined) =>
    fields && action === 'update'
      ? Object.fromEntries((changed ?? []).map(field => [field, fields[field] ?? null]))
      : fields
  const render = (fields: Fields | undefined) => (fields ? stringify(sortKeys(pick(fields))) : '')
  return createTwoFilesPatch(
    `service/${name}`,
    `files/${name}`,
    render(stored?.fields),
    render(wanted?.fields),
    '',
    '',
    { context: 2 },
  )
}

async function pull(
  context: Context,
  [given = '']: string[],
  { out, force }: { out: string; force?: boolean },
): Promise<void> {
  const client = await context.client()
  const [kindName = '', slug] = given.split('/')
  const kind = toCatalog(kindName)
  const slugs = slug === undefined ? await listSlugs(client, kind) : [slug]
  const written: { file: string; action: string }[] = []
  for (const one of slugs) {
    const stored = await findStored(client, kind, one)
    if (!stored) throw new CliError(EXIT.notFound, `${kind}/${one} does not exist`)
    const file = join(out, kind, `${one}.yaml`)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const text = renderWanted(kind, one, dropEmpty(stored.fields), before)
    if (before !== undefined && before !== text && !force)
      throw new CliError(EXIT.conflict, `${file} differs; --force replaces what differs`)
    if (before !== text) {
      mkdirSync(join(out, kind), { recursive: true })
      writeFileSync(file, text)
    }
    written.push({ file, action: before === undefined ? 'created' : before === text ? 'unchanged' : 'updated' })
  }
  await context.print(written, all => all.map(({ file, action }) => `${action} ${file}\n`).join(''))
}

/** Null is what an absent field gets. */
const dropEmpty = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
