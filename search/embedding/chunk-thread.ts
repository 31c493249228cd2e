import { lowerPriority } from '../../observability/fairness/low-priority.ts'
import { estimateTokens } from '../../domain/search/chunking/approximate-tokens.ts'
import { type Chunk, chunkText } from '../../domain/search/chunking/chunk.ts'

lowerPriority()

export interface ChunkTask {
  text: string
  maxTokens: number
  overlapTokens: number
}

/** A chunk without its text, which the main thread already has. */
export type ChunkPosition = Omit<Chunk, 'text'>

export default function chunk({ text, ...sizes }: ChunkTask): ChunkPosition[] {
  return chunkText(text, { countTokens: estimateTokens, ...sizes }).map(({ text: _text, ...position }) => position)
}
