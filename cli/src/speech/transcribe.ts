import { existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { follow } from '../runs/follow.ts'
import { addCommand, type Context } from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'
import { write } from '../shared/output.ts'

/** Adds the `transcribe` command. */
export const add = (program: Command): void =>
  addCommand(program, {
    name: 'transcribe <audio>',
    example: 'transcribe meeting.mp3 > meeting.txt',
    run: transcribe,
  })

async function transcribe(context: Context, [file = '']: string[]): Promise<void> {
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
