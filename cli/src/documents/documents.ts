import type { Command } from 'commander'
import { addGroup, option, repeated, parseCount } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { write } from '../shared/output.ts'
import type { IngestOptions } from './ingest.ts'

/** `docs`: documents. */
export const add = (program: Command): Command =>
  addGroup(program, 'docs', [
    {
      name: 'ingest <file>',
      summary: 'Ingest a file, a folder or - for stdin; a repeated command goes on where the last one ended',
      example:
        'docs ingest handbook/ --path /handbook\ndocs ingest report.pdf --wait\ndate | ganglion docs ingest - --name date.txt',
      options: [
        option('--name <name>', 'the name of what comes by stdin'),
        option('--path <folder>', 'the folder to put them in; default: /'),
        option('--charset <name>', 'the charset of text that is not UTF-8, such as gbk'),
        option('--concurrency <number>', 'files at a time').argParser(parseCount).default(4),
        repeated('--exclude <glob>', 'files to leave out, such as "**/*.tmp"; repeatable'),
        option('--dry-run', 'list the files only'),
        option('--wait', 'wait until they are read and can be found'),
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
      summary: 'Show what is known of a document',
      example: 'docs get parental-leave --json',
    }),
    {
      name: 'cat <document>',
      summary: 'Print the content of a document, as it was ingested',
      example: 'docs cat parental-leave > parental-leave.md',
      run: async (context, [id = '']) => {
        const client = await context.client()
        const response = await client.assets.content(id)
        if (context.format !== 'text')
          return context.print(
            { id, media_type: response.headers.get('content-type'), content: await response.text() },
            String,
          )
        for await (const chunk of response.body ?? []) await write(chunk)
      },
    },
    operation('assets.delete', {
      name: 'delete <document>',
      summary: 'Delete a document; it can be restored',
      done: 'deleted',
    }),
  ])
