import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { readConfig } from '../../../config/config.ts'

/** A minimal token stream: one subscriber, no history, no keep-alives, no handling of slow clients. */
const subscriber = new Redis(readConfig(process.env).REDIS_URL)
const clients = new Map<string, Set<ServerResponse>>()

subscriber.on('message', (id, message) => {
  for (const client of clients.get(id) ?? []) client.write(`data: ${message}\n\n`)
})

const server = createServer((request, response) => {
  const id = request.url?.slice(1) ?? ''
  const listening = clients.get(id) ?? new Set()
  clients.set(id, listening.add(response))
  response.on('close', () => listening.delete(response))
  void subscriber.subscribe(id).then(() => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
  })
})
server.listen(0, '127.0.0.1', () => console.log(`port=${(server.address() as AddressInfo).port};`))
