import type { Body } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, addGroup, option, readJson, readValue, toCount } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { addGet, addList, addVersions } from './kind.ts'

interface PatchOptions {
  merge?: string
  ops?: string
  delta?: string
  append?: string
  replace?: string
  expectedVersion?: number
  note?: string
}

const toKindAndName = (given: string) => {
  const [kind = '', name] = given.split('/')
  if (!name) throw usageError('Name it as kind/slug, such as artifacts/note')
  return { kind, name }
}

/** `resources`: those of any kind. */
export function addAny(program: Command): void {
  const group = addGroup(program, 'resources')
  const example = 'artifacts/parental-leave'
  const naming = { argument: '<kind/slug>', toName: toKindAndName, group: 'resources', example }
  addList(group, { argument: ' <kind>', example: 'resources list artifacts' })
  addGet(group, naming)
  addPatch(group)
  addVersions(group, naming)
  addCommand<{ path: string }>(group, {
    name: 'move <kind/slug...>',
    summary: 'Move resources to a folder, all or none',
    example: 'resources move pathways/invoice-approval --path /finance',
    options: [option('--path <folder>', 'where to').makeOptionMandatory()],
    run: async (context, names, { path }) => {
      const client = await context.client()
      const ids: string[] = []
      for (const { kind, name } of names.map(toKindAndName)) ids.push((await client.resources.get(kind, name)).id)
      await context.print(await client.resources.move({ resource_ids: ids, path }), ({ moved }) =>
        moved.map(one => `${one.id}\t${one.path}\n`).join(''),
      )
    },
  })
}

function addPatch(group: Command): void {
  addCommand<PatchOptions>(group, {
    name: 'patch <kind/slug>',
    summary: 'Change a resource, which gets a new version',
    example: `resources patch skills/greeting --merge '{"title": "Greeting"}'\nresources patch artifacts/notes --append "One more line."`,
    options: [
      option('--merge <json>', 'fields as a merge patch: JSON, @file, or - for stdin'),
      option('--ops <json>', 'operations of a JSON patch: JSON, @file, or - for stdin'),
      option('--delta <json>', 'a change in the format of the kind, as stakeholder maps have it'),
      option('--append <text>', 'a text for the end of an artifact: the text, @file, or - for stdin'),
      option('--replace <text>', 'the new text of an artifact: the text, @file, or - for stdin'),
      option('--expected-version <number>', 'fail with 6 unless this is the latest version').argParser(toCount),
      option('--note <text>', 'the reason'),
    ],
    run: async (context, [given = ''], options) => {
      const { kind, name } = toKindAndName(given)
      const body = { ...(await readChange(options)), expected_version: options.expectedVersion, note: options.note }
      const client = await context.client()
      const changed = await client.resources.update(kind, name, body as Body<'resources.update'>)
      await context.print(changed, one => `${one.type}/${one.slug} has version ${one.version}`)
    },
  })
}

/** Exactly one form of the change. */
async function readChange({ merge, ops, delta, append, replace }: PatchOptions): Promise<object> {
  const given = Object.entries({ merge, ops, delta, append, replace }).filter(([, value]) => value !== undefined)
  const [first, ...others] = given
  if (!first || others.length > 0) throw usageError('Give one of --merge, --ops, --delta, --append and --replace')
  const [form, value = ''] = first
  if (form === 'append' || form === 'replace') return { content: { [form]: await readValue(value) } }
  return { [form]: await readJson(value) }
}
