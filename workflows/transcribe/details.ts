import type { Transcript } from '../../domain/speech/transcript.ts'
import { plain } from '../markdown.ts'
import { type Standing, standingTable } from '../run/standing.ts'
import type { TranscribeRunInput } from './messages.ts'

/** The run as Markdown for the Temporal UI: which audio, and what became of it. */
export const detailsOf = ({ audio, requester }: TranscribeRunInput, standing: Standing<Transcript>): string =>
  standingTable({
    about: 'audio',
    rows: [
      ['format', audio.format],
      ['size', `${(audio.size / 1_000).toFixed(1)} kB`],
      ['sent by', plain(requester)],
    ],
    standing,
    gave: ({ duration_seconds }) => ['length', `${duration_seconds} s`],
  })
