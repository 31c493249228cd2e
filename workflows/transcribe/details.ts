import type { Transcript } from '../../domain/speech/transcript.ts'
import { escapeMarkdown } from '../markdown.ts'
import { type JobOutcome, renderJobDetails } from '../shared/job-details.ts'
import type { TranscribeRunInput } from './messages.ts'

/** Renders the audio and the outcome as Markdown for the Temporal UI. */
export const renderDetails = ({ audio, requester }: TranscribeRunInput, outcome: JobOutcome<Transcript>): string =>
  renderJobDetails({
    subject: 'audio',
    rows: [
      ['format', audio.format],
      ['size', `${(audio.size / 1_000).toFixed(1)} kB`],
      ['sent by', escapeMarkdown(requester)],
    ],
    outcome,
    resultRow: ({ duration_seconds }) => ['length', `${duration_seconds} s`],
  })
