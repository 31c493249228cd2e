import { escapeMarkdown } from '../markdown.ts'
import type { MeetingRunInput } from './messages.ts'

export interface Heard {
  heard: number
  failed: number
}

/** The run as Markdown for the Temporal UI. */
export function renderDetails(
  { meeting_id, requester }: MeetingRunInput,
  { heard, failed }: Heard,
  word: string,
): string {
  return [
    `**${escapeMarkdown(word)}**`,
    '',
    '| meeting | |',
    '|---|---|',
    `| id | \`${meeting_id}\` |`,
    `| begun by | ${escapeMarkdown(requester)} |`,
    `| pieces heard | ${heard} |`,
    ...(failed > 0 ? [`| pieces that could not be heard | ${failed} |`] : []),
  ].join('\n')
}
