import type { IncomingMessage } from 'node:http'
import { readConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { openEmbedder } from '../../search/embedding/embedder.ts'
import { readBody } from './http-server.ts'

/** The built-in model in OpenAI's protocol: one process makes the vectors for the stacks of all test files. */
export function openSharedEmbedder() {
  const embedder = openEmbedder(readConfig(readEnvironment()))
  return {
    /** Answers a request to /embeddings. */
    async answer(request: IncomingMessage) {
      const { model, input } = JSON.parse(await readBody(request)) as { model: string; input: string[] }
      const vectors = await embedder.embed(input)
      const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: Array.from(vector) }))
      return { object: 'list', model, data }
    },
    close: () => embedder.close(),
  }
}
