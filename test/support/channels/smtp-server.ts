import { type AddressInfo, createServer } from 'node:net'

export interface SmtpServer {
  port: number
  close(): Promise<void>
}

/** Starts an SMTP server without encryption and accounts that accepts connections, but no mail. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.write('220 localhost ESMTP\r\n')
    socket.on('data', data => {
      const [command = ''] = data.toString('latin1').trim().toUpperCase().split(' ')
      if (command === 'QUIT') socket.end('221 Bye\r\n')
      else socket.write(['EHLO', 'HELO', 'RSET', 'NOOP'].includes(command) ? '250 OK\r\n' : '502 Not implemented\r\n')
    })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise(resolve => void server.close(() => resolve())),
  }
}
