import type { Command } from 'commander'
import { addGroup, type CommandSpec, option } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { readOne } from './files.ts'
import { createStored } from './kinds.ts'

/** How commands name a resource. */
interface Naming {
  /** The group of the commands, in examples. */
  group: string
  /** As the arguments of a command: `<slug>`. */
  argument: string
  /** The plural of the kind, and the slug or id. */
  toKindAndName: (given: string) => [kind: string, name: string]
  example: string
}

/** The group of a kind that has no other commands. */
export const addKind = (program: Command, kind: string): Command => addGroup(program, kind, kindCommands(kind))

/** The commands of a kind of resource. */
export function kindCommands(kind: string): CommandSpec<never>[] {
  const example = `my-${kind.replace(/e?s$/, '')}`
  const naming: Naming = { group: kind, argument: '<slug>', toKindAndName: name => [kind, name], example }
  return [
    listCommand({ name: 'list', summary: `List ${kind}`, example: `${kind} list --all`, args: () => [kind] }),
    getCommand(naming),
    {
      name: 'create <file>',
      summary: 'Create one from a file or - for stdin, as "apply" reads it; the slug may be absent',
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
  summary: 'Show one, by slug or id',
  example: `${group} get ${example} --json`,
  options: [option('--version <number>', 'at an earlier version')],
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
      summary: 'List its versions, latest first',
      example: `${group} history ${example}`,
      args,
      columns: ['version', ['created', 'created_at'], 'author', 'note'],
    }),
    operation('resources.diff', {
      name: `diff ${argument} <from> <to>`,
      summary: 'Compare two versions; live is the latest',
      example: `${group} diff ${example} 1 live`,
      args,
      text: ({ ops }) => ops.map(op => JSON.stringify(op)).join('\n'),
    }),
    operation('resources.delete', {
      name: `delete ${argument}`,
      summary: 'Delete one; it can be restored',
      example: `${group} delete ${example}`,
      args,
      print: (context, reply, [given = '']) => {
        const [kind, slug] = toKindAndName(given)
        return context.print({ kind, slug, deleted: true, ...reply }, () => `deleted ${kind}/${slug}`)
      },
    }),
    operation('resources.restore', {
      name: `restore ${argument}`,
      summary: 'Restore a deleted one, or go back to a version',
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
