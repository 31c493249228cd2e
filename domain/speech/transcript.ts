/** Something that was said without a break. Times in seconds since the beginning. */
export interface SpokenSegment {
  start: number
  end: number
  text: string
}

export interface Transcript {
  text: string
  /** As the speech service calls it. */
  language?: string
  duration_seconds: number
  segments: SpokenSegment[]
}

/** A stretch of audio that is written down in one request. Times in seconds since the beginning of the whole. */
export interface AudioPiece {
  ordinal: number
  start: number
  duration: number
}

/** What was heard in a piece; times count from the beginning of the piece. */
export interface PieceAnswer {
  text: string
  language?: string
  segments: SpokenSegment[]
}

/** Pieces in their order as one: times are of the whole, and the language is the one that is spoken longest. */
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

/** Where nothing is said, a service guesses a language all the same. */
function findMainLanguage(pieces: (AudioPiece & { answer: PieceAnswer })[]): string | undefined {
  const spoken = new Map<string, number>()
  for (const { duration, answer } of pieces)
    if (answer.language !== undefined && answer.text !== '')
      spoken.set(answer.language, (spoken.get(answer.language) ?? 0) + duration)
  return [...spoken].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** To the millisecond. */
export const roundSeconds = (value: number): number => Math.round(value * 1_000) / 1_000
