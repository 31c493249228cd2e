import { connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../clients/certificates.ts'

export interface TlsProxy {
  /** Host and port. */
  address: string
  /** The names from the client certificates that were accepted. */
  clients: Set<string>
  /** Returns the number of connections that failed before both sides had accepted each other. */
  refusals(): number
  close(): Promise<void>
}

interface Options extends Certificate {
  /** The authority for client certificates. Every client must present one. */
  ca: string
}

/** Terminates TLS in front of an HTTP/2 server. */
export async function startTlsProxy(target: string, options: Options): Promise<TlsProxy> {
  const [host = '', port = ''] = target.split(':')
  const clients = new Set<string>()
  const sockets = new Set<TLSSocket>()
  let refused = 0
  const server = createServer(
    { ...options, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    client => {
      clients.add(String(client.getPeerCertificate().subject.CN))
      sockets.add(client)
      const upstream = connect(Number(port), host)
      client.on('close', () => sockets.delete(client) && upstream.destroy()).on('error', () => upstream.destroy())
      upstream.on('close', () => client.destroy()).on('error', () => client.destroy())
      client.pipe(upstream).pipe(client)
    },
  )
  server.on('tlsClientError', () => refused++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    clients,
    refusals: () => refused,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
