import { existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import {
  addCommand,
  addGroup,
  type Context,
  listOptions,
  type ListOptions,
  option,
  repeated,
  toCount,
  toPageSize,
} from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'
import type { IngestOptions } from './ingest.ts'
import { write } from '../shared/output.ts'

/** `docs` and `transcribe`: documents and audio. */
export function addDocuments(program: Command): void {
  const docs = addGroup(program, 'docs')
  addCommand<IngestOptions>(docs, {
    name: 'ingest <file>',
    summary: 'Ingest a file, a folder or - for stdin; a repeated command goes on where the last one ended',
    example:
      'docs ingest handbook/ --path /handbook\ndocs ingest report.pdf --wait\ndate | ganglion docs ingest - --name date.txt',
    options: [
      option('--name <name>', 'the name of what comes by stdin'),
      option('--path <folder>', 'the folder to put them in; default: /'),
      option('--charset <name>', 'the charset of text that is not UTF-8, such as gbk'),
      option('--concurrency <number>', 'files at a time').argParser(toCount).default(4),
      repeated('--exclude <glob>', 'files to leave out, such as "**/*.tmp"; repeatable'),
      option('--dry-run', 'list the files only'),
      option('--wait', 'wait until they are read and can be found'),
    ],
    run: async (context, [path = ''], options) => (await import('./ingest.ts')).ingest(context, path, options),
  })
  addCommand<ListOptions>(docs, {
    name: 'list',
    summary: 'List documents',
    example: 'docs list --all --json=lines',
    options: listOptions(),
    run: async (context, _, list) => {
      const client = await context.client()
      await context.printAll(
        client.assets.list({ limit: toPageSize(list) }),
        [
          ['slug', one => one.slug],
          ['path', one => one.path],
          ['title', one => one.title],
          ['type', one => one.media_type],
          ['size', one => one.size],
          ['id', one => one.id],
        ],
        list,
      )
    },
  })
  addCommand(docs, {
    name: 'get <document>',
    summary: 'Show what is known of a document',
    example: 'docs get parental-leave --json',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.show(await client.assets.get(id))
    },
  })
  addCommand(docs, {
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
      for await (const chunk of response.body ?? []) await writeBytes(chunk)
    },
  })
  addCommand(docs, {
    name: 'delete <document>',
    summary: 'Delete a document; it can be restored',
    example: 'docs delete parental-leave',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await client.assets.delete(id)
      await context.print({ id, deleted: true }, () => `deleted ${id}`)
    },
  })
  addCommand(program, {
    name: 'transcribe <audio>',
    example: 'transcribe meeting.mp3 > meeting.txt',
    run: async (context, [file = '']) => transcribe(context, file),
  })
}

function writeBytes(bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    if (process.stdout.write(bytes)) resolve()
    else process.stdout.once('drain', resolve)
  })
}

async function transcribe(context: Context, file: string): Promise<void> {
  const { follow } = await import('../runs/follow.ts')
  if (!existsSync(file)) throw new CliError(EXIT.usage, `${file} does not exist`)
  const client = await context.client()
  const form = new FormData()
  form.set('file', await openAsBlob(file), basename(file))
  const { job_id } = await client.transcribe.start(form)
  context.say(`Job ${job_id}`)
  const result = (await follow(context, client, client.jobs.run(job_id))) as { text?: string }
  if (context.format === 'json') await context.print(result, String)
  else if (context.format === 'text') await write(`${result.text ?? JSON.stringify(result)}\n`)
}
