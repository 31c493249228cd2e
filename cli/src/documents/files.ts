import { existsSync, openAsBlob, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Data, Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, type Context, repeated } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { write } from '../shared/output.ts'

/** Adds the `files` commands. */
export const add = (program: Command): Command =>
  addGroup(program, 'files', [
    {
      name: 'upload <file>',
      summary: 'Upload a file for a message, a form or a run, and print its id',
      example: 'files upload lease.pdf\nganglion run review -i paper=$(ganglion files upload lease.pdf)',
      run: async (context, [path = '']) => {
        checkFiles([path])
        await context.print(await upload(await context.client(), path), ({ id }) => id)
      },
    },
    {
      name: 'cat <id>',
      summary: 'Print the content of a file',
      example: 'files cat 0192f0c4-5d1e-7b6a-9c35-0f1de2a8b7c4 > lease.pdf',
      run: async (context, [id = '']) => {
        const client = await context.client()
        await printContent(context, id, await client.files.content(id))
      },
    },
  ])

/** Prints the content of a file or document. With `--json`, prints its type as well. */
export async function printContent(context: Context, id: string, response: Response): Promise<void> {
  if (context.format === 'text') {
    for await (const chunk of response.body ?? []) await write(chunk)
    return
  }
  const media_type = response.headers.get('content-type')
  await context.print({ id, media_type, content: await response.text() }, String)
}

export const fileOption = repeated('--file <path>', 'file to attach; repeatable')

/** Uploads files to attach to a message. Returns the field of the message. Throws a usage error for a missing file. */
export async function attachFiles(client: Ganglion, paths: string[] = []): Promise<{ files?: string[] }> {
  checkFiles(paths)
  if (paths.length === 0) return {}
  const files = await Promise.all(paths.map(path => upload(client, path)))
  return { files: files.map(({ id }) => id) }
}

function checkFiles(paths: string[]): void {
  for (const path of paths) {
    if (!existsSync(path)) throw usageError(`${path} does not exist`)
    if (!statSync(path).isFile()) throw usageError(`${path} is not a file`)
  }
}

async function upload(client: Ganglion, path: string): Promise<Data<'files.upload'>> {
  const form = new FormData()
  form.set('file', await openAsBlob(path), basename(path))
  return client.files.upload(form)
}
