import type { Command } from 'commander'
import { addGroup, option, repeated, parseCount } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { printContent } from './files.ts'
import type { IngestOptions } from './ingest.ts'

/** Adds the `docs` commands, which manage documents. */
export const add = (program: Command): Command =>
  addGroup(program, 'docs', [
    {
      name: 'ingest <file>',
      summary: 'Ingest a file, a folder or stdin (-); run the command again to resume',
      example:
        'docs ingest handbook/ --path /handbook\ndocs ingest report.pdf --wait\ndate | ganglion docs ingest - --name date.txt',
      options: [
        option('--name <name>', 'name of the document read from stdin'),
        option('--path <folder>', 'target folder; default: /'),
        option('--charset <name>', 'charset of texts that are not UTF-8, such as gbk'),
        option('--concurrency <number>', 'number of files to send in parallel').argParser(parseCount).default(4),
        repeated('--exclude <glob>', 'glob pattern of files to exclude, such as "**/*.tmp"; repeatable'),
        option('--dry-run', 'list the files without sending them'),
        option('--wait', 'wait until the documents are searchable'),
      ],
      run: async (context, [path = ''], options: IngestOptions) =>
        (await import('./ingest.ts')).ingest(context, path, options),
    },
    operation('assets.list', {
      name: 'list',
      summary: 'List documents',
      example: 'docs list --all --json=lines',
      columns: ['slug', 'path', 'title', ['type', 'media_type'], 'size', 'id'],
    }),
    operation('assets.get', {
      name: 'get <document>',
      summary: 'Show the details of a document',
      example: 'docs get parental-leave --json',
    }),
    {
      name: 'cat <document>',
      summary: 'Print the original content of a document',
      example: 'docs cat parental-leave > parental-leave.md',
      run: async (context, [id = '']) => {
        const client = await context.client()
        await printContent(context, id, await client.assets.content(id))
      },
    },
    operation('assets.delete', {
      name: 'delete <document>',
      summary: 'Delete a document; you can restore it',
      done: 'deleted',
    }),
  ])
