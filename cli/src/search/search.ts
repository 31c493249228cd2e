import type { Body, Schema } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, option, readValue, parseCount } from '../shared/command.ts'
import { renderTable } from '../shared/output.ts'

/** Adds the `search` and `browse` commands. */
export function add(program: Command): void {
  addCommand<Pick<Body<'search.query'>, 'mode' | 'limit'> & { type?: string; path?: string }>(program, {
    name: 'search <query>',
    example: 'search "parental leave" --path /handbook --limit 5',
    options: [
      option('--type <types>', 'kinds, separated by commas, such as assets,pathways'),
      option('--path <folder>', 'only in this folder and its subfolders'),
      option('--mode <mode>', 'search mode').choices(['hybrid', 'keyword', 'semantic']),
      option('--limit <number>', 'number of results').argParser(parseCount),
    ],
    run: async (context, [query = ''], { type, path, mode, limit }) => {
      const client = await context.client()
      const reply = await client.search.query({
        query: await readValue(query),
        types: type?.split(',') as Body<'search.query'>['types'],
        mode,
        limit,
        ...(path && { filters: { path_prefix: path } }),
      })
      if (context.format === 'lines') for (const match of reply.matches) await context.print(match, String)
      else
        await context.print(reply, ({ matches }) =>
          renderTable(matches, [
            ['score', match => match.score.toFixed(3)],
            ['type', match => match.type],
            ['path', match => `${match.path.replace(/\/$/, '')}/${match.slug}`],
            ['title', one => one.title],
            ['text', match => match.chunk?.text.slice(0, 160)],
          ]),
        )
    },
  })
  addCommand(program, {
    name: 'browse [folder]',
    example: 'browse /handbook',
    run: async (context, [folder = '/']) => {
      const client = await context.client()
      const path = folder === '/' ? undefined : `folder:${folder.replace(/\/$/, '')}`
      const nodes: Schema<'TreeNode'>[] = []
      for (let cursor: string | undefined; ;) {
        const page = await client.browse.tree({ parent_key: path, cursor, limit: 200 })
        if (!('nodes' in page)) break
        nodes.push(...page.nodes)
        cursor = page.cursor ?? undefined
        if (cursor === undefined) break
      }
      if (context.format === 'lines') for (const node of nodes) await context.print(node, String)
      else
        await context.print(nodes, all =>
          renderTable(all, [
            ['kind', node => node.resource?.type ?? node.kind],
            ['path', node => node.resource?.slug ?? node.path],
            ['title', one => one.title],
            ['id', node => node.resource?.id],
          ]),
        )
    },
  })
}
