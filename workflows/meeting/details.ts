import { plain } from '../markdown.ts'
import type { MeetingRunInput } from './messages.ts'

export interface Heard {
  heard: number
  failed: number
}

/** The run as Markdown for the Temporal UI. */
export function detailsOf({ meeting_id, requester }: MeetingRunInput, { heard, failed }: Heard, word: string): string {
  return [
    `**${plain(word)}**`,
    '',
    '| meeting | |',
    '|---|---|',
    `| id | \`${meeting_id}\` |`,
    `| begun by | ${plain(requester)} |`,
    `| pieces heard | ${heard} |`,
    ...(failed > 0 ? [`| pieces that could not be heard | ${failed} |`] : []),
  ].join('\n')
}
