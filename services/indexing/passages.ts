import { createHash } from 'node:crypto'
import type { Database } from '../../data/database.ts'
import type { IndexedHead } from '../../data/search-state-store.ts'
import {
  countVectors,
  findChunks,
  findVectors,
  replaceChunks,
  saveVectors,
  type TextChunk,
} from '../../data/text-chunks-store.ts'
import type { Chunk } from '../../domain/chunking/chunk.ts'
import type { Embedder } from '../../search/embedding/embedder.ts'
import type { RecordEmbedding } from '../usage/embedding-ledger.ts'
import { sourceOf } from './source.ts'

/** The pieces of a head's text, and why there are not all of them. */
export interface Passages {
  chunks: TextChunk[]
  /** Of the text they were made of. */
  text_key: string
  problem: string | null
}

export interface PassageMaker {
  /** The pieces of the head's version: those that are kept, or new ones when its text is another. */
  cut(head: IndexedHead, signal: AbortSignal): Promise<Passages>
  /** How many pieces have no vector yet. */
  countMissing(workspaceId: string, pieces: Pick<TextChunk, 'sha256'>[]): Promise<number>
  /** A vector for each piece, by its hash; what was embedded before is not again. */
  embed(workspaceId: string, pieces: Embeddable[], signal: AbortSignal): Promise<Map<string, Float32Array>>
}

export interface Embeddable extends Pick<TextChunk, 'heading' | 'text' | 'sha256'> {
  title: string
}

/** Counted up when texts are cut in another way. */
const CUTTING = 1
/** Pieces of one resource that search knows; the rest of its text is found by nobody. */
const MAX_CHUNKS = 20_000
/** Pieces that are embedded and kept in one go; others who embed get their turn in between. */
const AT_ONCE = 32

type Deps = {
  db: Database
  embedder: Pick<Embedder, 'model' | 'embed' | 'chunk'>
  noteEmbedding?: RecordEmbedding
}

export function createPassageMaker({ db, embedder, noteEmbedding }: Deps): PassageMaker {
  return {
    async cut(head, signal) {
      const of = { resource_id: head.id, version: head.version }
      const { source, kept } = await db.inWorkspace(head.workspace_id, async tx => {
        const source = await sourceOf(tx, head)
        const text_key = keyOf(source.key, embedder.model)
        return { source: { ...source, text_key }, kept: text_key === head.text_key ? await findChunks(tx, of) : null }
      })
      const { text_key } = source
      if (kept) return { chunks: kept, text_key, problem: problemOf(kept) }
      const text = await db.inWorkspace(head.workspace_id, tx => source.read(tx))
      const cut = text.trim() === '' ? [] : await embedder.chunk(text, { signal })
      const chunks = cut.slice(0, MAX_CHUNKS).map(chunk => hashed(chunk, head.title))
      await db.inWorkspace(head.workspace_id, tx => replaceChunks(tx, of, chunks))
      return { chunks, text_key, problem: problemOf(cut) }
    },

    async countMissing(workspaceId, pieces) {
      const sha256s = [...new Set(pieces.map(piece => piece.sha256))]
      return sha256s.length - (await db.inWorkspace(workspaceId, tx => countVectors(tx, embedder.model, sha256s)))
    },

    async embed(workspaceId, pieces, signal) {
      const vectors = new Map<string, Float32Array>()
      for (let at = 0; at < pieces.length; at += AT_ONCE) {
        const slice = new Map(pieces.slice(at, at + AT_ONCE).map(piece => [piece.sha256, piece]))
        const known = await db.inWorkspace(workspaceId, tx => findVectors(tx, embedder.model, [...slice.keys()]))
        const missing = [...slice.values()].filter(({ sha256 }) => !known.has(sha256))
        const onUsage = (tokens: number) => noteEmbedding?.(workspaceId, tokens)
        const made = await embedder.embed(missing.map(textToEmbed), { signal, onUsage })
        const fresh = new Map(missing.map(({ sha256 }, i) => [sha256, made[i] as Float32Array]))
        if (fresh.size > 0) await db.inWorkspace(workspaceId, tx => saveVectors(tx, embedder.model, fresh))
        for (const [sha256, vector] of [...known, ...fresh]) vectors.set(sha256, vector)
      }
      return vectors
    },
  }
}

/** A piece by itself often does not say what it is about: its title and heading do. */
export const textToEmbed = ({ title, heading, text }: Pick<Embeddable, 'title' | 'heading' | 'text'>): string =>
  [title, heading, text].filter(Boolean).join('\n')

const hashed = ({ ordinal, start, end, heading, text }: Chunk, title: string): TextChunk => ({
  ordinal,
  start,
  end,
  heading,
  text,
  sha256: sha256(textToEmbed({ title, heading, text })),
})

const keyOf = (source: string, model: string): string => sha256(JSON.stringify([CUTTING, model, source]))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const problemOf = ({ length }: { length: number }): string | null =>
  length >= MAX_CHUNKS ? `only the first ${MAX_CHUNKS} pieces of its text can be found` : null
