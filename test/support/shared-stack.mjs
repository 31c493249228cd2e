import { startHttpServer } from './http-server.ts'

/** Jest's global setup: serves the environment of a stack for all test files. The first request starts the stack. */
export default async function setup() {
  let started
  const server = await startHttpServer((_request, response) => {
    started ??= import('./stack.ts').then(({ startStack }) => startStack())
    started.then(
      ({ env }) => response.end(JSON.stringify(env)),
      error => response.writeHead(500).end(String(error)),
    )
  })
  process.env.SHARED_STACK_URL = server.url
  globalThis.stopSharedStack = async () => {
    await started?.then(stack => stack.stop())
    await server.close()
  }
}
