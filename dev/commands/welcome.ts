import { credentialsFile } from '../stack/state/credentials.ts'
import { STATE_DIR } from '../stack/stack.ts'
import type { DevStack } from '../stack/stack.ts'
import { shownUrl } from './shown-url.ts'

/** Returns a message with all addresses for the person who started the stack. */
export function welcome(stack: DevStack, signInLink: string): string {
  const rows = [
    ['API', stack.baseUrl],
    ['Reference', `${stack.baseUrl}/v1/docs`],
    ['Console', `${stack.baseUrl}/console`],
    ['Sign in (once)', signInLink],
    ['Temporal UI', stack.env['TEMPORAL_UI_URL']],
    ['Postgres', stack.env['DATABASE_ADMIN_URL'] ?? stack.env['DATABASE_URL']],
    ['Redis', stack.env['REDIS_URL']],
    ['Elasticsearch', stack.env['ELASTICSEARCH_URL']],
    ['Speech', stack.env['SPEECH_URL']],
    ['Credentials', credentialsFile(STATE_DIR)],
    ['Logs', `${STATE_DIR}/logs (npm run logs)`],
  ]
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(14)} ${value ? shownUrl(value) : 'not running'}`)
  return `\nGanglion is running. Press Ctrl-C to stop it.\n\n${lines.join('\n')}\n\n`
}
