import { plain } from '../markdown.ts'
import type { TranscribeRunInput } from './messages.ts'

export type Standing = 'running' | 'cancelled' | { code: string; message: string } | { duration_seconds: number }

/** The run as Markdown for the Temporal UI: which audio, and what became of it. */
export function detailsOf({ audio, requester }: TranscribeRunInput, standing: Standing): string {
  return [
    `**${wordOf(standing)}**`,
    '',
    '| audio | |',
    '|---|---|',
    `| format | ${audio.format} |`,
    `| size | ${(audio.size / 1_000).toFixed(1)} kB |`,
    `| sent by | ${plain(requester)} |`,
    ...outcome(standing),
  ].join('\n')
}

const wordOf = (standing: Standing): string =>
  typeof standing === 'string' ? standing : 'code' in standing ? 'failed' : 'completed'

function outcome(standing: Standing): string[] {
  if (typeof standing === 'string') return []
  if ('code' in standing) return [`| why | ${plain(standing.code)}: ${plain(standing.message)} |`]
  return [`| length | ${standing.duration_seconds} s |`]
}
