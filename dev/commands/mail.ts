import { ensureMailServers } from '../machine/mail-servers.ts'
import { logLine } from '../stack/log.ts'
import type { Command } from './command.ts'
import { MAIL, testIn } from './test.ts'

/** With this argument, a machine that cannot install mail servers is not a failure. */
const IF_POSSIBLE = '--if-possible'

/** `npm run test:mail [-- --if-possible] [jest arguments]`: tests email channels against Exim and Dovecot. */
export const testMail: Command = async args => {
  const programs = await ensureMailServers(message => logLine('test:mail', message))
  if (!programs) {
    logLine('test:mail', 'Exim and Dovecot are not installed, and need apt and root. Email channels are not tested')
    return args.includes(IF_POSSIBLE) ? 0 : 1
  }
  Object.assign(process.env, { EXIM: programs.exim, DOVECOT: programs.dovecot })
  return testIn(
    MAIL,
    args.filter(arg => arg !== IF_POSSIBLE),
  )
}
