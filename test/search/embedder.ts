import { readConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { type Embedder, openEmbedder } from '../../search/embedding/embedder.ts'

/** Opens an embedder in the same way as the processes do, with some settings changed. */
export function embedderWith(changes: Record<string, string> = {}): Embedder {
  return openEmbedder(readConfig({ ...readEnvironment(), ...changes }))
}

export const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  (a ?? new Float32Array()).reduce((sum, number, i) => sum + number * (b?.[i] ?? 0), 0)

export const lengthOf = (vector: Float32Array | undefined): number => Math.sqrt(cosine(vector, vector))
