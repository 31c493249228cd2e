import { readBody, startHttpServer } from './stack/http-server.ts'

/**
 * Jest's global setup: a server that gives test files the environment of a stack with the requested options, and the
 * same stack for the same options. The first request starts a stack. No test reads the requests that a shared API
 * logs.
 */
export default async function setup() {
  const stacks = new Map()
  const open = async options => {
    const { startStack } = await import('./stack/stack.ts')
    return startStack({ ...JSON.parse(options), apiEnv: { LOG_LEVEL: 'warn' } })
  }
  const answer = async request => {
    const options = await readBody(request)
    if (!stacks.has(options)) stacks.set(options, open(options))
    return (await stacks.get(options)).env
  }
  const server = await startHttpServer((request, response) => {
    answer(request).then(
      body => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      error => response.writeHead(500).end(String(error)),
    )
  })
  process.env.SHARED_URL = server.url
  globalThis.closeShared = async () => {
    await Promise.all([...stacks.values()].map(async stack => (await stack).stop()))
    await server.close()
  }
}
