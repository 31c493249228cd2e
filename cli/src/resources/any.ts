import type { Command } from 'commander'
import { addGroup, option, readJson, readValue, required, parseCount } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'
import { getCommand, listCommand, versionCommands } from './kind.ts'

interface Change {
  merge?: string
  ops?: string
  delta?: string
  append?: string
  replace?: string
}

function toKindAndName(given: string): [kind: string, name: string] {
  const [kind = '', name] = given.split('/')
  if (!name) throw usageError('Enter the resource as kind/slug, such as artifacts/note')
  return [kind, name]
}

/** Adds the `resources` commands for resources of any kind. */
export function add(program: Command): void {
  const example = 'artifacts/parental-leave'
  const naming = { group: 'resources', argument: '<kind/slug>', toKindAndName, example }
  addGroup(program, 'resources', [
    listCommand({ name: 'list <kind>', example: 'resources list artifacts' }),
    getCommand(naming),
    operation('resources.update', {
      name: 'patch <kind/slug>',
      summary: 'Change a resource and create a new version',
      example: `resources patch skills/greeting --merge '{"title": "Greeting"}'\nresources patch artifacts/notes --append "One more line."`,
      args: ([given = '']) => toKindAndName(given),
      options: {
        expected_version: option(
          '--expected-version <number>',
          'fail with exit code 6 unless this is the latest version',
        ).argParser(parseCount),
        note: '--note <text>',
      },
      further: [
        option('--merge <json>', 'fields as a JSON merge patch: JSON, @file, or - for stdin'),
        option('--ops <json>', 'JSON Patch operations: JSON, @file, or - for stdin'),
        option('--delta <json>', "change in the kind's own format, for stakeholder maps and meetings"),
        option('--append <text>', 'text to append to an artifact: text, @file, or - for stdin'),
        option('--replace <text>', "text that replaces an artifact's text: text, @file, or - for stdin"),
      ],
      fields: readChange,
      text: one => `${one.type}/${one.slug} is now at version ${one.version}`,
    }),
    ...versionCommands(naming),
    {
      name: 'move <kind/slug...>',
      summary: 'Move resources to a folder; moves all or none',
      example: 'resources move pathways/invoice-approval --path /finance',
      options: [required('--path <folder>', 'target folder')],
      run: async (context, names, { path }: { path: string }) => {
        const { resources } = await context.client()
        const ids: string[] = []
        for (const place of names.map(toKindAndName)) ids.push((await resources.get(...place)).id)
        await context.print(await resources.move({ resource_ids: ids, path }), ({ moved }) =>
          moved.map(resource => `${resource.id}\t${resource.path}\n`).join(''),
        )
      },
    },
  ])
}

/** Reads the change from the options. Exactly one form is allowed. */
async function readChange({ merge, ops, delta, append, replace }: Change): Promise<object> {
  const entries = Object.entries({ merge, ops, delta, append, replace }).filter(([, value]) => value !== undefined)
  const [first, ...others] = entries
  if (!first || others.length > 0) throw usageError('Use one of --merge, --ops, --delta, --append and --replace')
  const [form, value = ''] = first
  if (form === 'append' || form === 'replace') return { content: { [form]: await readValue(value) } }
  return { [form]: await readJson(value) }
}
