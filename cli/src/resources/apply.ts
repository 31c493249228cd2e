import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { stringify } from 'yaml'
import { addCommand, type Context, option } from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'
import { readWanted, renderWanted, type FileDefinition } from './files.ts'
import {
  createStored,
  deleteStored,
  type DryRunResult,
  dryRunSaves,
  type Fields,
  findStored,
  listSlugs,
  readStored,
  type ServedResource,
  type StoredResource,
  pluralizeKind,
  getOrder,
  updateStored,
  type Warning,
} from './kinds.ts'
import { isSame, sortKeys } from './same.ts'

interface Change {
  action: 'create' | 'update' | 'delete' | 'unchanged'
  kind: string
  slug: string
  /** Fields that an update changes. */
  changed?: string[]
  /** Version after the apply, or the current version in a dry run. */
  version?: number
  /** Warnings that the service returned after a save. */
  warnings?: Warning[]
}

interface Plan extends Change {
  wanted?: FileDefinition
  stored?: StoredResource
}

interface ApplyOptions {
  file: string
  prune?: boolean
  dryRun?: boolean
}

const fileOption = () => option('-f, --file <path>', 'file, folder, or - for stdin').makeOptionMandatory()

/** Adds `apply`, `diff` and `pull`, which manage resources as files. */
export function add(program: Command): void {
  addCommand<ApplyOptions>(program, {
    name: 'apply',
    example: 'apply -f ganglion/ --dry-run\napply -f pathway.yaml',
    options: [
      fileOption(),
      option('--prune', 'delete resources of these kinds if they are not in the files'),
      option('--dry-run', 'validate the files on the service and show the changes, without saving them'),
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
      option('--out <dir>', 'target folder; each kind gets its own subfolder').default('.'),
      option('--force', 'overwrite values that differ in existing files'),
    ],
    run: pull,
  })
}

/** Reads the resources from a path, and reports the files that were skipped. */
async function readFiles(context: Context, path: string): Promise<FileDefinition[]> {
  const { wanted: definitions, skipped } = await readWanted(path)
  for (const { file, reason } of skipped) context.say(`skipped ${file}: ${reason}`)
  return definitions
}

async function apply(context: Context, _: string[], { file, prune, dryRun }: ApplyOptions): Promise<void> {
  const client = await context.client()
  const definitions = await readFiles(context, file)
  if (dryRun) {
    const plans = [
      ...(await previewPlans(client, definitions)),
      ...(prune ? await planDeletions(client, definitions) : []),
    ]
    const changes = plans.map(createChange)
    return context.print(changes, all => all.map(change => `${describe(change, true)}\n`).join(''))
  }
  const plans = [...(await buildPlans(client, definitions)), ...(prune ? await planDeletions(client, definitions) : [])]
  const deletions = plans.filter(({ action }) => action === 'delete')
  if (deletions.length > 0)
    await context.confirm(`Delete these?\n${deletions.map(({ kind, slug }) => `  ${kind}/${slug}`).join('\n')}`)
  const changes: Change[] = []
  let pending = plans
  // Save a resource after the resources in these files that it refers to.
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
    plans.map(plan => ({ ...createChange(plan), patch: renderPatch(plan) })),
    all => all.map(({ patch }) => patch).join(''),
  )
  if (plans.every(({ action }) => action === 'unchanged')) context.say('No differences')
  // Exit with the same code as the diff command.
  else throw new CliError(EXIT.error, '')
}

/**
 * Validates the files on the service. Throws if there are problems. Otherwise returns the changes that a save would
 * make.
 */
async function previewPlans(client: Ganglion, files: FileDefinition[]): Promise<Plan[]> {
  const definitions = files.toSorted((a, b) => getOrder(a.kind) - getOrder(b.kind))
  const results = await dryRunSaves(client, definitions)
  const invalid = definitions.flatMap(({ kind, slug, file }, i) => {
    const { action, problems } = results[i] as DryRunResult
    if (action !== 'invalid') return []
    return problems.map(({ pointer, message }) => ({ pointer: `${kind}/${slug} (${file}) ${pointer || '/'}`, message }))
  })
  if (invalid.length > 0) throw new CliError(EXIT.usage, 'The files contain problems', { details: invalid })
  const plans: Plan[] = []
  for (const [i, { kind, slug, file }] of definitions.entries()) {
    const { action, version, fields = {} } = results[i] as DryRunResult & { action: Plan['action'] }
    const resource = action === 'create' ? undefined : await readStored(client, kind, slug)
    const changedFields = resource && Object.keys(fields).filter(name => !isSame(fields[name], resource.fields[name]))
    plans.push({
      action,
      kind,
      slug,
      changed: changedFields,
      version: version ?? undefined,
      wanted: { kind, slug, fields, file },
      stored: resource,
    })
  }
  return plans
}

async function planDeletions(client: Ganglion, definitions: FileDefinition[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const kind of new Set(definitions.map(definition => definition.kind)))
    for (const slug of await listSlugs(client, kind))
      if (!definitions.some(definition => definition.kind === kind && definition.slug === slug))
        plans.push({ action: 'delete', kind, slug, stored: await findStored(client, kind, slug) })
  return plans
}

/** Reads the stored resources and compares them with the definitions. */
async function buildPlans(client: Ganglion, definitions: FileDefinition[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const definition of definitions.toSorted((a, b) => getOrder(a.kind) - getOrder(b.kind))) {
    const { kind, slug, fields } = definition
    const resource = await findStored(client, kind, slug)
    const changedFields = resource
      ? Object.keys(fields).filter(name => !isSame(fields[name], resource.fields[name]))
      : undefined
    const action = !resource ? 'create' : changedFields?.length ? 'update' : 'unchanged'
    plans.push({
      action,
      kind,
      slug,
      changed: changedFields,
      version: resource?.version,
      wanted: definition,
      stored: resource,
    })
  }
  return plans
}

async function execute(client: Ganglion, plan: Plan): Promise<Change> {
  const { action, kind, slug, wanted: definition, stored: resource, changed: changedFields = [] } = plan
  if (action === 'unchanged') return createChange(plan)
  if (action === 'delete') {
    await deleteStored(client, kind, slug)
    return createChange(plan)
  }
  const fields = definition?.fields ?? {}
  if (!resource) return { ...createChange(plan), ...pickSaved(await createStored(client, kind, slug, fields)) }
  const changes = Object.fromEntries(changedFields.map(name => [name, fields[name] ?? null]))
  const { version, warnings } = pickSaved(await updateStored(client, kind, resource, changes))
  // Compare write-only fields, such as an OpenAPI document, by the version that a save would create.
  return {
    ...createChange(plan),
    version,
    ...(warnings && { warnings }),
    action: version === resource.version ? 'unchanged' : 'update',
  }
}

const pickSaved = ({ version, warnings }: ServedResource) => ({ version, ...(warnings && { warnings }) })

const createChange = ({ action, kind, slug, changed: changedFields, version }: Plan): Change => ({
  action,
  kind,
  slug,
  ...(action === 'update' && { changed: changedFields }),
  version,
})

const PAST = { create: 'created', update: 'updated', delete: 'deleted', unchanged: 'unchanged' }

function describe(
  { action, kind, slug, changed: changedFields, version, warnings = [] }: Change,
  isDry: boolean,
): string {
  const verb = isDry && action !== 'unchanged' ? `would ${action}` : PAST[action]
  const now = version !== undefined && !(isDry && action !== 'unchanged') ? ` (version ${version})` : ''
  const lines = warnings.map(({ pointer, message }) => `\n  warning\t${pointer}\t${message}`)
  return `${verb} ${kind}/${slug}${changedFields?.length ? `: ${changedFields.join(', ')}` : ''}${now}${lines.join('')}`
}

function addPlace({ kind, slug, wanted: definition }: Plan, error: unknown): unknown {
  if (error instanceof Error)
    error.message = `${kind}/${slug}${definition ? ` (${definition.file})` : ''}: ${error.message}`
  return error
}

function renderPatch({
  action,
  kind,
  slug,
  wanted: definition,
  stored: resource,
  changed: changedFields,
}: Plan): string {
  if (action === 'unchanged') return ''
  const name = `${kind}/${slug}`
  const pick = (fields: Fields | undefined) =>
    fields && action === 'update'
      ? Object.fromEntries((changedFields ?? []).map(field => [field, fields[field] ?? null]))
      : fields
  const render = (fields: Fields | undefined) => (fields ? stringify(sortKeys(pick(fields))) : '')
  return createTwoFilesPatch(
    `service/${name}`,
    `files/${name}`,
    render(resource?.fields),
    render(definition?.fields),
    '',
    '',
    { context: 2 },
  )
}

async function pull(
  context: Context,
  [address = '']: string[],
  { out, force }: { out: string; force?: boolean },
): Promise<void> {
  const client = await context.client()
  const [kindName = '', slug] = address.split('/')
  const kind = pluralizeKind(kindName)
  const slugs = slug === undefined ? await listSlugs(client, kind) : [slug]
  const files: { file: string; action: string }[] = []
  for (const resourceSlug of slugs) {
    const resource = await findStored(client, kind, resourceSlug)
    if (!resource) throw new CliError(EXIT.notFound, `${kind}/${resourceSlug} does not exist`)
    const file = join(out, kind, `${resourceSlug}.yaml`)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const text = renderWanted(kind, resourceSlug, dropEmpty(resource.fields), before)
    if (before !== undefined && before !== text && !force)
      throw new CliError(EXIT.conflict, `${file} has changed. Use --force to overwrite changed values`)
    if (before !== text) {
      mkdirSync(join(out, kind), { recursive: true })
      writeFileSync(file, text)
    }
    files.push({ file, action: before === undefined ? 'created' : before === text ? 'unchanged' : 'updated' })
  }
  await context.print(files, all => all.map(({ file, action }) => `${action} ${file}\n`).join(''))
}

/** Removes null fields, because null resets a field to its default. */
const dropEmpty = (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
