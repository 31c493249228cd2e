import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A minimal server that reads the body and sends the same bytes each time. */
interface Answer {
  headers: Record<string, string>
  body: string
}

/** The responses by method and path, as JSON. */
const answers = JSON.parse(process.argv[2] ?? '{}') as Record<string, Answer>

const server = createServer((request, response) => {
  const { headers, body } = answers[`${request.method} ${request.url}`] ?? { headers: {}, body: '' }
  request.resume().on('end', () => response.writeHead(200, headers).end(body))
})
server.listen(0, '127.0.0.1', () => console.log(`port=${(server.address() as AddressInfo).port};`))
