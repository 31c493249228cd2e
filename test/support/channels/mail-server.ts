import { lookup } from 'node:dns/promises'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { type ParsedMail, simpleParser } from 'mailparser'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { nextFree } from '../../../dev/machine/ports.ts'
import { launch, stopProcess } from '../../../dev/machine/process.ts'
import { run } from '../../../dev/machine/shell.ts'
import { waitUntil } from '../stack/process.ts'

/** The name under which the server records authentication results. */
export const AUTHSERV_ID = 'mx.mail.test'
export const PASSWORD = 'correct-horse-battery'

/** A mail domain with real servers: Exim receives and delivers, and Dovecot serves the mailboxes. */
export interface MailServer {
  host: string
  smtpPort: number
  imapPort: number
  /** File with the certificate of both servers. */
  certificate: string
  /** Sends a mail to the domain. A sender with a password is authentic. */
  send(mail: SendMailOptions, options?: { authentic?: boolean }): Promise<void>
  /** Returns all mails of a user, oldest first. */
  read(user: string): Promise<ParsedMail[]>
  /** Resolves with the first mail of a user for which the condition is true. */
  untilMail(user: string, fits: (mail: ParsedMail) => boolean): Promise<ParsedMail>
  /** Opens a port to the SMTP server, on which the response to the next mail is lost. */
  openLossyPort(): Promise<{ port: number; lost(): number; close(): void }>
  close(): Promise<void>
}

/** The users of the domain. */
const USERS = ['agent', 'bob', 'cleo', 'dan']

export const addressOf = (user: string): string => `${user}@mail.test`

/** Returns the settings of an email channel with the mailbox of the user `agent`. */
export function buildEmailChannel({ host, smtpPort, imapPort }: MailServer, name: string) {
  const login = { host, user: 'agent', password: PASSWORD }
  return {
    name,
    type: 'email',
    from: addressOf('agent'),
    smtp: { ...login, port: smtpPort },
    imap: { ...login, port: imapPort, authserv_id: AUTHSERV_ID },
  }
}

export async function startMailServer(): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ganglion-mail-'))
  const { address } = await lookup('localhost')
  const [smtpPort, imapPort] = [await nextFree(), await nextFree()]
  const user = findUser('Debian-exim')
  for (const name of ['spool', 'mail', 'log', 'run']) {
    mkdirSync(join(folder, name))
    chownSync(join(folder, name), user.uid, user.gid)
  }
  await run('chmod', ['755', folder])
  const certificate = await createCertificate(folder, user)
  const place = { folder, address, smtpPort, imapPort, user }
  const configuration = join(folder, 'exim.conf')
  writeFileSync(configuration, renderExim(place))
  writeFileSync(join(folder, 'dovecot.conf'), renderDovecot(place))
  const servers = await Promise.all([
    launch(
      { command: process.env['EXIM'] ?? 'exim4', args: ['-C', configuration, '-bdf', '-q1s'] },
      join(folder, 'exim.out'),
    ),
    launch(
      { command: process.env['DOVECOT'] ?? 'dovecot', args: ['-F', '-c', join(folder, 'dovecot.conf')] },
      join(folder, 'dovecot.out'),
    ),
  ])
  const logs = ['exim.out', 'dovecot.out', 'log/mainlog', 'log/paniclog', 'log/dovecot.log']
  const readLogs = () => logs.map(name => `${name}:\n${readIfPresent(join(folder, name))}`).join('\n')
  await waitUntil(
    async () => (await Promise.all([smtpPort, imapPort].map(port => accepts(port, address)))).every(Boolean),
    60_000,
    readLogs,
  )
  const ca = readFileSync(certificate, 'utf8')

  const read: MailServer['read'] = async name => {
    const client = new ImapFlow({
      host: 'localhost',
      port: imapPort,
      secure: true,
      auth: { user: name, pass: PASSWORD },
      tls: { ca },
      logger: false,
    })
    await client.connect()
    try {
      await client.mailboxOpen('INBOX', { readOnly: true })
      const messages = await client.fetchAll('1:*', { source: true })
      return await Promise.all(messages.map(({ source }) => simpleParser(source ?? '')))
    } finally {
      await client.logout()
    }
  }

  return {
    host: 'localhost',
    smtpPort,
    imapPort,
    certificate,
    read,
    async send(mail, { authentic = true } = {}) {
      const transport = createTransport({
        host: 'localhost',
        port: smtpPort,
        requireTLS: true,
        tls: { ca },
        ...(authentic && { auth: { user: 'bob', pass: PASSWORD } }),
      })
      await transport.sendMail(mail)
    },
    async untilMail(name, fits) {
      const summarize = async () =>
        `${JSON.stringify((await read(name)).map(({ subject, text }) => ({ subject, text })))}\n${readLogs()}`
      return waitUntil(async () => (await read(name)).find(fits), undefined, summarize)
    },
    openLossyPort: () => openLossyPort(smtpPort, address),
    async close() {
      await Promise.all(servers.map(server => stopProcess(server, 'SIGTERM', 5_000)))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Place {
  folder: string
  address: string
  smtpPort: number
  imapPort: number
  user: { uid: number; gid: number; name: string }
}

const DOMAIN = addressOf('').slice(1)

/** The receiving server removes results that a sender has forged, and records its own. */
const renderExim = ({ folder, address, smtpPort }: Place): string => `
primary_hostname = ${DOMAIN}
daemon_smtp_ports = ${smtpPort}
local_interfaces = <; ${address}
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/run/exim.pid
tls_certificate = ${folder}/cert.pem
tls_privatekey = ${folder}/key.pem
tls_advertise_hosts = *
message_size_limit = 60M
host_lookup =
rfc1413_hosts =
hosts_treat_as_local = ${DOMAIN}
deliver_drop_privilege = true
never_users =
keep_environment =
accept_8bitmime
return_path_remove
acl_smtp_rcpt = check_rcpt
acl_smtp_data = check_data

begin acl
check_rcpt:
  accept domains = ${DOMAIN}
  deny message = relay not permitted

check_data:
  accept condition = \${if def:authenticated_id}
         remove_header = Authentication-Results
         add_header = :at_start:Authentication-Results: ${AUTHSERV_ID}; spf=pass smtp.mailfrom=${DOMAIN}; dkim=pass (2048-bit key; secure) header.d=${DOMAIN}; dmarc=pass header.from=${DOMAIN}
  accept remove_header = Authentication-Results
         add_header = :at_start:Authentication-Results: ${AUTHSERV_ID}; spf=fail smtp.mailfrom=${DOMAIN}; dkim=none; dmarc=fail header.from=${DOMAIN}

begin routers
local:
  driver = accept
  local_parts = ${USERS.join(' : ')}
  transport = maildir

begin transports
maildir:
  driver = appendfile
  maildir_format
  directory = ${folder}/mail/$local_part_data
  create_directory
  delivery_date_add
  envelope_to_add
  return_path_add

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_advertise_condition = \${if def:tls_in_cipher}
  server_condition = \${if eq{$auth3}{${PASSWORD}}}
  server_set_id = $auth2
`

const renderDovecot = ({ folder, address, imapPort, user }: Place): string => `
protocols = imap
base_dir = ${folder}/run/dovecot
log_path = ${folder}/log/dovecot.log
listen = ${address}
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${user.uid} gid=${user.gid} home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${imapPort}
    ssl = yes
  }
}
`

function findUser(name: string): Place['user'] {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`There is no user ${name}`)
  return { uid: Number(uid), gid: Number(gid), name }
}

/** Creates a self-signed certificate, which clients trust as an authority. */
async function createCertificate(folder: string, user: Place['user']): Promise<string> {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const keyType = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc']
  await run('openssl', ['req', '-x509', ...keyType, ...name, '-keyout', key, '-out', certificate])
  for (const file of [certificate, key]) chownSync(file, user.uid, user.gid)
  return certificate
}

const readIfPresent = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').slice(-4_000)
  } catch {
    return ''
  }
}

const accepts = (port: number, host: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, host)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Forwards a connection without TLS. The connection is lost when the server has accepted a mail, but only once. */
async function openLossyPort(smtpPort: number, host: string) {
  let lost = 0
  const server = createServer(client => {
    const upstream = connect(smtpPort, host)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      if (lost === 0 && /^250 OK id=/m.test(chunk.toString('latin1'))) {
        lost++
        end()
      } else client.write(chunk)
    })
  })
  const port = await nextFree()
  await new Promise<void>(resolve => void server.listen(port, '127.0.0.1', resolve))
  return { port, lost: () => lost, close: () => void server.close() }
}
