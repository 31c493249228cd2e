import type { Chunk } from '../../../domain/chunking/chunk.ts'

/** What the process is told first. */
export interface ProcessSettings {
  /** Left out, it only chunks, and counts tokens by a rule of thumb. */
  model?: ModelSettings
  chunkTokens: number
  overlapTokens: number
}

export interface ModelSettings {
  /** The folder of the model's files. */
  folder?: string
  /** A model hub, from which the files are fetched into the folder. */
  hub?: string
  dimensions: number
  /** Tokens it reads; the rest of a text is cut off. */
  maxInputTokens: number
  threads: number
}

export type Task = { do: 'load' } | { do: 'embed'; texts: string[] } | { do: 'chunk'; text: string }
export type ToProcess = { settings: ProcessSettings } | { id: number; task: Task } | { id: number; cancel: true }

/** A chunk without its text, which the asker has. */
export type ChunkPosition = Omit<Chunk, 'text'>

/** All vectors, one after the other, or some chunks in order. */
export interface Result {
  vectors?: Float32Array
  chunks?: ChunkPosition[]
}

/** A task ends with `done` or `failed`; others before it say that it goes on. */
export type FromProcess = { id: number; result: Result; done: boolean } | { id: number; failed: string; cause: string }

/** The model can't be had; the message says what to set. */
export class ModelUnavailable extends Error {}
