import type { Command } from 'commander'
import { addCommand, type Context, listOptions, type ListOptions, option, toPageSize } from '../shared/command.ts'
import { readOne } from './files.ts'
import { createStored } from './kinds.ts'

/** Splits `<slug>` of a kind, or `<kind/slug>`. */
interface Naming {
  /** As the arguments of a command: `<slug>`. */
  argument: string
  toName: (given: string) => { kind: string; name: string }
  /** In examples. */
  group: string
  example: string
}

/** The commands of a kind of resource. A kind with columns of its own adds its list itself. */
export function addKind(group: Command, kind: string, { hasList = false } = {}): void {
  const example = `my-${kind.replace(/e?s$/, '')}`
  const naming = { argument: '<slug>', toName: (name: string) => ({ kind, name }), group: kind, example }
  if (!hasList) addList(group, { argument: '', kind, example: `${kind} list --all` })
  addGet(group, naming)
  addCommand(group, {
    name: 'create <file>',
    summary: 'Create one from a file or - for stdin, as "apply" reads it; the slug may be absent',
    example: `${kind} create ${example}.yaml`,
    run: async (context, [file = '']) => {
      const { slug, fields } = await readOne(file, kind)
      const made = await createStored(await context.client(), kind, slug, fields)
      await context.print(made, one => `created ${kind}/${one.slug} (version ${one.version})`)
    },
  })
  addVersions(group, naming)
}

/** `list`, of a kind that is given or fixed. */
export function addList(group: Command, fixed: { argument: string; kind?: string; example: string }): void {
  addCommand<ListOptions>(group, {
    name: `list${fixed.argument}`,
    summary: fixed.kind ? `List ${fixed.kind}` : 'List the resources of a kind',
    example: fixed.example,
    options: listOptions(),
    run: async (context, [given = ''], list) => {
      const client = await context.client()
      await context.printAll(
        client.resources.list(fixed.kind ?? given, { limit: toPageSize(list) }),
        [
          ['slug', one => one.slug],
          ['title', one => one.title],
          ['version', one => one.version],
          ['scope', one => one.scope],
          ['id', one => one.id],
        ],
        list,
      )
    },
  })
}

export function addGet(group: Command, { argument, toName, group: words, example }: Naming): void {
  addCommand<{ version?: string }>(group, {
    name: `get ${argument}`,
    summary: 'Show one, by slug or id',
    example: `${words} get ${example} --json`,
    options: [option('--version <number>', 'at an earlier version')],
    run: async (context, [given = ''], { version }) => {
      const client = await context.client()
      const { kind, name } = toName(given)
      await context.show(
        version === undefined
          ? await client.resources.get(kind, name)
          : await client.resources.getVersion(kind, name, version),
      )
    },
  })
}

/** `history`, `diff`, `delete` and `restore`. */
export function addVersions(group: Command, { argument, toName, group: words, example }: Naming): void {
  addCommand<ListOptions>(group, {
    name: `history ${argument}`,
    summary: 'List its versions, latest first',
    example: `${words} history ${example}`,
    options: listOptions(),
    run: async (context, [given = ''], list) => {
      const client = await context.client()
      const { kind, name } = toName(given)
      await context.printAll(
        client.resources.history(kind, name),
        [
          ['version', one => one.version],
          ['created', one => one.created_at],
          ['author', one => one.author],
          ['note', one => one.note],
        ],
        list,
      )
    },
  })
  addCommand(group, {
    name: `diff ${argument} <from> <to>`,
    summary: 'Compare two versions; live is the latest',
    example: `${words} diff ${example} 1 live`,
    run: async (context, [given = '', from = '', to = '']) => {
      const client = await context.client()
      const { kind, name } = toName(given)
      const diff = await client.resources.diff(kind, name, { from: from as 'live', to: to as 'live' })
      await context.print(diff, ({ ops }) => ops.map(op => JSON.stringify(op)).join('\n'))
    },
  })
  addCommand(group, {
    name: `delete ${argument}`,
    summary: 'Delete one; it can be restored',
    example: `${words} delete ${example}`,
    run: async (context, [given = '']) => {
      const client = await context.client()
      const { kind, name } = toName(given)
      const reply = await client.resources.delete(kind, name)
      await context.print(
        { kind, slug: name, deleted: true, ...(reply as object | undefined) },
        () => `deleted ${kind}/${name}`,
      )
    },
  })
  addRestore(group, { argument, toName, group: words, example })
}

function addRestore(group: Command, { argument, toName, group: words, example }: Naming): void {
  addCommand<{ version?: string; note?: string }>(group, {
    name: `restore ${argument}`,
    summary: 'Restore a deleted one, or go back to a version',
    example: `${words} restore ${example}\n${words} restore ${example} --version 3`,
    options: [option('--version <number>', 'the version to go back to'), option('--note <text>', 'the reason')],
    run: async (context: Context, [given = ''], { version, note }) => {
      const client = await context.client()
      const { kind, name } = toName(given)
      const body = { ...(version !== undefined && { version: Number(version) }), note }
      const restored = await client.resources.restore(kind, name, body)
      await context.print(
        { kind, slug: restored.slug, version: restored.version },
        one => `restored ${kind}/${one.slug} (version ${one.version})`,
      )
    },
  })
}
