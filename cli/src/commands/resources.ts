import type { Command } from 'commander'
import { addCommand, addGroup, listOptions, type ListOptions, option, readJson } from '../command.ts'
import { addInvoke } from './chat.ts'
import { findStored } from '../kinds.ts'
import { CliError, EXIT, usageError } from '../exit.ts'

const KINDS = ['pathways', 'neurons', 'receptors', 'skills', 'reflexes', 'triggers'] as const

/** A group for each kind of resource, and `resources` for any kind. */
export function addResources(program: Command): void {
  for (const kind of KINDS) addKind(addGroup(program, kind), kind)
  addPathways(program.commands.find(one => one.name() === 'pathways') as Command)
  addInvoke(program.commands.find(one => one.name() === 'neurons') as Command)
  addTriggers(program.commands.find(one => one.name() === 'triggers') as Command)
  const any = addGroup(program, 'resources')
  addAny(any)
}

function addKind(group: Command, kind: string): void {
  const slug = `my-${kind.replace(/e?s$/, '')}`
  addCommand<ListOptions>(group, {
    name: 'list',
    summary: `List ${kind}`,
    example: `${kind} list --all`,
    options: listOptions(),
    run: async (context, _, list) => {
      const client = await context.client()
      await context.printAll(
        client.resources.list(kind, { limit: list.all ? 200 : Math.min(list.limit ?? 50, 200) }),
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
  addCommand<{ version?: string }>(group, {
    name: 'get <slug>',
    summary: 'Show one, by slug or id',
    example: `${kind} get ${slug} --json`,
    options: [option('--version <number>', 'at an earlier version')],
    run: async (context, [name = ''], { version }) => {
      const client = await context.client()
      const shown =
        version === undefined
          ? await client.resources.get(kind, name)
          : await client.resources.getVersion(kind, name, version)
      await context.print(shown, value => JSON.stringify(value, null, 2))
    },
  })
  addCommand<ListOptions>(group, {
    name: 'history <slug>',
    summary: 'List its versions, latest first',
    example: `${kind} history ${slug}`,
    options: listOptions(),
    run: async (context, [name = ''], list) => {
      const client = await context.client()
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
    name: 'diff <slug> <from> <to>',
    summary: 'Compare two versions',
    example: `${kind} diff ${slug} 1 2`,
    run: async (context, [name = '', from = '', to = '']) => {
      const client = await context.client()
      const diff = await client.resources.diff(kind, name, { from: Number(from), to: Number(to) })
      await context.print(diff, ({ ops }) => ops.map(op => JSON.stringify(op)).join('\n'))
    },
  })
  addCommand(group, {
    name: 'delete <slug>',
    summary: 'Delete one; it can be restored',
    example: `${kind} delete ${slug} --yes`,
    run: async (context, [name = '']) => {
      const client = await context.client()
      const reply = await client.resources.delete(kind, name)
      await context.print(
        { kind, slug: name, deleted: true, ...(reply as object | undefined) },
        () => `deleted ${kind}/${name}`,
      )
    },
  })
  addCommand(group, {
    name: 'restore <slug>',
    summary: 'Restore a deleted one',
    example: `${kind} restore ${slug}`,
    run: async (context, [name = '']) => {
      const client = await context.client()
      const { slug: restored, version } = await client.resources.restore(kind, name)
      await context.print({ kind, slug: restored, version }, () => `restored ${kind}/${restored} (version ${version})`)
    },
  })
}

function addPathways(group: Command): void {
  addCommand<{ input?: string; outputs?: string }>(group, {
    name: 'dry-run <pathway>',
    summary: 'Play a pathway with given outputs; nothing is started',
    example: `pathways dry-run invoice-approval --data '{"amount": 1200}'`,
    options: [
      option('--data <json>', 'the input: JSON, @file, or - for stdin'),
      option('--outputs <json>', 'outputs of nodes: JSON or @file'),
    ],
    run: async (context, [id = ''], { data, outputs }: { data?: string; outputs?: string }) => {
      const client = await context.client()
      const body = {
        ...(data && { input: await readJson(data) }),
        ...(outputs && { outputs: await readJson(outputs) }),
      }
      await context.print(await client.pathways.dryRun(id, body as never), value => JSON.stringify(value, null, 2))
    },
  })
}

function addTriggers(group: Command): void {
  addCommand<{ data?: string }>(group, {
    name: 'fire <trigger>',
    summary: 'Start what a trigger starts, now',
    example: 'triggers fire nightly-report',
    options: [option('--data <json>', 'the input: JSON, @file, or - for stdin')],
    run: async (context, [id = ''], { data }) => {
      const client = await context.client()
      const body = data === undefined ? {} : { input: await readJson(data) }
      const reply = await client.request('POST', `/v1/triggers/${encodeURIComponent(id)}/fire`, { body })
      await context.print(reply, value => JSON.stringify(value, null, 2))
    },
  })
  addCommand(group, {
    name: 'runs <trigger>',
    summary: 'List the runs that a trigger has started',
    example: 'triggers runs nightly-report --json',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.request('GET', `/v1/triggers/${encodeURIComponent(id)}/runs`), value =>
        JSON.stringify(value, null, 2),
      )
    },
  })
}

function addAny(group: Command): void {
  const split = (name: string) => {
    const [kind = '', slug] = name.split('/')
    if (!slug) throw usageError('Name it as kind/slug, such as artifacts/note')
    return { kind, slug }
  }
  addCommand(group, {
    name: 'get <kind/slug>',
    summary: 'Show a resource of any kind',
    example: 'resources get artifacts/parental-leave --json',
    run: async (context, [name = '']) => {
      const client = await context.client()
      const { kind, slug } = split(name)
      await context.print(await client.resources.get(kind, slug), value => JSON.stringify(value, null, 2))
    },
  })
  addCommand<{ path: string }>(group, {
    name: 'move <kind/slug...>',
    summary: 'Move resources to a folder, all or none',
    example: 'resources move pathways/invoice-approval --path /finance',
    options: [option('--path <folder>', 'where to').makeOptionMandatory()],
    run: async (context, names, { path }) => {
      const client = await context.client()
      const ids: string[] = []
      for (const name of names) {
        const { kind, slug } = split(name)
        if (!(await findStored(client, kind, slug))) throw new CliError(EXIT.notFound, `${name} does not exist`)
        ids.push((await client.resources.get(kind, slug)).id)
      }
      await context.print(await client.resources.move({ resource_ids: ids, path }), ({ moved }) =>
        moved.map(one => `${one.id}\t${one.path}\n`).join(''),
      )
    },
  })
}
