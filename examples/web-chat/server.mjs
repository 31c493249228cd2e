import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The website of a museum. Its page contains the chat, and its content security policy allows nothing inline. */
const [port, apiUrl = '', receptor = '', token = ''] = process.argv.slice(2)
const { origin } = new URL(apiUrl)
const policy = `default-src 'self'; script-src ${origin}; connect-src ${origin}; frame-ancestors 'none'`
const values = { URL: apiUrl, RECEPTOR: receptor, TOKEN: token }
const page = readFileSync(new URL('index.html', import.meta.url), 'utf8').replaceAll(
  /\{\{(\w+)\}\}/g,
  (_, name) => values[name] ?? '',
)
const styles = readFileSync(new URL('styles.css', import.meta.url))

createServer((request, response) => {
  const send = (status, type, body) =>
    response.writeHead(status, { 'content-type': type, 'content-security-policy': policy }).end(body)
  if (request.url === '/') return send(200, 'text/html; charset=utf-8', page)
  if (request.url === '/styles.css') return send(200, 'text/css; charset=utf-8', styles)
  if (request.url === '/health') return send(200, 'text/plain', 'ok')
  return send(404, 'text/plain', 'There is no such address')
}).listen(Number(port), '127.0.0.1')
