import { credentialsFile } from '../stack/credentials.ts'
import { HOME } from '../stack/house.ts'
import type { House } from '../stack/house.ts'
import { shownUrl } from './shown-url.ts'

/** Where everything is, for the person who started it. */
export function welcome(house: House): string {
  const rows = [
    ['API', house.baseUrl],
    ['Reference', `${house.baseUrl}/v1/docs`],
    ['Temporal UI', house.env['TEMPORAL_UI_URL']],
    ['Postgres', house.env['DATABASE_ADMIN_URL'] ?? house.env['DATABASE_URL']],
    ['Redis', house.env['REDIS_URL']],
    ['Elasticsearch', house.env['ELASTICSEARCH_URL']],
    ['Speech', house.env['SPEECH_URL']],
    ['Credentials', credentialsFile(HOME)],
    ['Logs', `${HOME}/logs (npm run logs)`],
  ]
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(14)} ${value ? shownUrl(value) : 'not running'}`)
  return `\nGanglion is running. Ctrl-C stops it.\n\n${lines.join('\n')}\n\n`
}
