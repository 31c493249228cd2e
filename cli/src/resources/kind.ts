import type { Command } from 'commander'
import { addGroup, type CommandSpec, option } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { readOne } from './files.ts'
import { createStored } from './kinds.ts'

/** How commands refer to a resource. */
interface Naming {
  /** Command group, for examples. */
  group: string
  /** Argument of a command: `<slug>`. */
  argument: string
  /** Returns the plural of the kind, and the resource's slug or id. */
  toKindAndName: (given: string) => [kind: string, name: string]
  example: string
}

/** Adds a kind's command group without additional commands. */
export const addKind = (program: Command, kind: string): Command => addGroup(program, kind, kindCommands(kind))

/** Commands for a kind of resource. */
export function kindCommands(kind: string): CommandSpec<never>[] {
  const example = `my-${kind.replace(/e?s$/, '')}`
  const naming: Naming = { group: kind, argument: '<slug>', toKindAndName: name => [kind, name], example }
  return [
    listCommand({ name: 'list', summary: `List ${kind}`, example: `${kind} list --all`, args: () => [kind] }),
    getCommand(naming),
    {
      name: 'create <file>',
      summary: 'Create a resource from a file or stdin (-), in the same format as for "apply"; the slug is optional',
      example: `${kind} create ${example}.yaml`,
      run: async (context, [file = '']) => {
        const { slug, fields } = await readOne(file, kind)
        const resource = await createStored(await context.client(), kind, slug, fields)
        await context.print(resource, view => `created ${kind}/${view.slug} (version ${view.version})`)
      },
    },
    ...versionCommands(naming),
  ]
}

export const listCommand = (spec: {
  name: string
  summary?: string
  example: string
  args?: () => string[]
}): CommandSpec<never> => operation('resources.list', { ...spec, columns: ['slug', 'title', 'version', 'scope', 'id'] })

export const getCommand = ({ argument, toKindAndName, group, example }: Naming): CommandSpec<{ version?: string }> => ({
  name: `get ${argument}`,
  summary: 'Show a resource by slug or id',
  example: `${group} get ${example} --json`,
  options: [option('--version <number>', 'version to show; default: the latest')],
  run: async (context, [address = ''], { version }) => {
    const { resources } = await context.client()
    const place = toKindAndName(address)
    await context.show(
      await (version === undefined ? resources.get(...place) : resources.getVersion(...place, version)),
    )
  },
})

/** `history`, `diff`, `delete` and `restore`. */
export function versionCommands({ argument, toKindAndName, group, example }: Naming): CommandSpec<never>[] {
  const args = ([given = '', ...rest]: string[]) => [...toKindAndName(given), ...rest]
  return [
    operation('resources.history', {
      name: `history ${argument}`,
      summary: 'List versions, latest first',
      example: `${group} history ${example}`,
      args,
      columns: ['version', ['created', 'created_at'], 'author', 'note'],
    }),
    operation('resources.diff', {
      name: `diff ${argument} <from> <to>`,
      summary: 'Compare two versions; "live" is the latest',
      example: `${group} diff ${example} 1 live`,
      args,
      text: ({ ops }) => ops.map(op => JSON.stringify(op)).join('\n'),
    }),
    operation('resources.delete', {
      name: `delete ${argument}`,
      summary: 'Delete a resource; you can restore it',
      example: `${group} delete ${example}`,
      args,
      print: (context, reply, [given = '']) => {
        const [kind, slug] = toKindAndName(given)
        return context.print({ kind, slug, deleted: true, ...reply }, () => `deleted ${kind}/${slug}`)
      },
    }),
    operation('resources.restore', {
      name: `restore ${argument}`,
      summary: 'Restore a deleted resource or an earlier version',
      example: `${group} restore ${example}\n${group} restore ${example} --version 3`,
      options: { version: '--version <number>', note: '--note <text>' },
      args,
      print: (context, { slug, version }, [given = '']) => {
        const [kind] = toKindAndName(given)
        return context.print({ kind, slug, version }, () => `restored ${kind}/${slug} (version ${version})`)
      },
    }),
  ]
}
