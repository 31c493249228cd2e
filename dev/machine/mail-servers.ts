import { existsSync } from 'node:fs'
import { createApt } from './apt.ts'
import { isRoot } from './folders.ts'
import { CommandError, which } from './shell.ts'

export interface MailPrograms {
  exim: string
  dovecot: string
}

/**
 * Returns the programs of an SMTP and an IMAP server. Installs Debian's packages if they are missing. Returns undefined
 * on a machine where this is impossible: the servers need root.
 */
export async function ensureMailServers(log: (message: string) => void): Promise<MailPrograms | undefined> {
  if (!isRoot()) return undefined
  if (!find() && which('apt-get') && existsSync('/etc/debian_version'))
    await createApt(log)(['exim4-daemon-light', 'dovecot-imapd', 'openssl'], 'Exim and Dovecot').catch(
      (error: unknown) => {
        if (!(error instanceof CommandError)) throw error
        log(error.message)
      },
    )
  return find()
}

function find(): MailPrograms | undefined {
  const [exim, dovecot] = ['exim4', 'dovecot'].map(name => which(name, ['/usr/sbin']))
  return exim !== undefined && dovecot !== undefined && which('openssl') !== undefined ? { exim, dovecot } : undefined
}
