/** A text spoken without a break. Times are in seconds from the start. */
export interface SpokenSegment {
  start: number
  end: number
  text: string
}

export interface Transcript {
  text: string
  /** Language as named by the speech service. */
  language?: string
  duration_seconds: number
  segments: SpokenSegment[]
}

/** A section of audio that is transcribed in one request. Times are in seconds from the start of the audio. */
export interface AudioPiece {
  ordinal: number
  start: number
  duration: number
}

/** The transcript of a piece. Times are in seconds from the start of the piece. */
export interface PieceAnswer {
  text: string
  language?: string
  segments: SpokenSegment[]
}

/** Joins pieces in order. Times are relative to the whole audio. The language is the one spoken longest. */
export function joinPieces(pieces: (AudioPiece & { answer: PieceAnswer })[]): Transcript {
  const segments = pieces.flatMap(({ start, duration, answer }) =>
    answer.segments.map(segment => ({
      start: roundSeconds(start + Math.min(segment.start, duration)),
      end: roundSeconds(start + Math.min(segment.end, duration)),
      text: segment.text,
    })),
  )
  const last = pieces.at(-1)
  const language = findMainLanguage(pieces)
  return {
    text: pieces
      .map(({ answer }) => answer.text)
      .filter(Boolean)
      .join(' '),
    ...(language !== undefined && { language }),
    duration_seconds: last ? roundSeconds(last.start + last.duration) : 0,
    segments,
  }
}

/** Returns the language spoken longest. Pieces without text don't count, because the service guesses their language. */
function findMainLanguage(pieces: (AudioPiece & { answer: PieceAnswer })[]): string | undefined {
  const spoken = new Map<string, number>()
  for (const { duration, answer } of pieces)
    if (answer.language !== undefined && answer.text !== '')
      spoken.set(answer.language, (spoken.get(answer.language) ?? 0) + duration)
  return [...spoken].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Rounds seconds to milliseconds. */
export const roundSeconds = (value: number): number => Math.round(value * 1_000) / 1_000
