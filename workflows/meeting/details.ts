import { escapeMarkdown } from '../markdown.ts'
import type { MeetingRunInput } from './messages.ts'

export interface TranscriptionProgress {
  transcribed: number
  failed: number
}

/** Renders the run as Markdown for the Temporal UI. */
export function renderDetails(
  { meeting_id, requester }: MeetingRunInput,
  { transcribed, failed }: TranscriptionProgress,
  word: string,
): string {
  return [
    `**${escapeMarkdown(word)}**`,
    '',
    '| meeting | |',
    '|---|---|',
    `| id | \`${meeting_id}\` |`,
    `| started by | ${escapeMarkdown(requester)} |`,
    `| pieces transcribed | ${transcribed} |`,
    ...(failed > 0 ? [`| pieces failed | ${failed} |`] : []),
  ].join('\n')
}
