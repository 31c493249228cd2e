import { startHttpServer } from './http-server.ts'

/**
 * Jest's global setup: a server that gives all test files the environment of a stack, and vectors to the stacks of
 * single test files. Both are started by their first request, since some tests need neither. No test reads the requests
 * that the shared API logs.
 */
export default async function setup() {
  let stack
  let embedder
  const answer = async request => {
    if (request.url === '/embeddings') {
      embedder ??= import('./shared-embedder.ts').then(({ openSharedEmbedder }) => openSharedEmbedder())
      return (await embedder).answer(request)
    }
    stack ??= import('./stack.ts').then(({ startStack }) =>
      startStack({ hasOwnModel: true, apiEnv: { LOG_LEVEL: 'warn' } }),
    )
    return (await stack).env
  }
  const server = await startHttpServer((request, response) => {
    answer(request).then(
      body => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      error => response.writeHead(500).end(String(error)),
    )
  })
  process.env.SHARED_URL = server.url
  globalThis.closeShared = async () => {
    await stack?.then(started => started.stop())
    await embedder?.then(opened => opened.close())
    await server.close()
  }
}
