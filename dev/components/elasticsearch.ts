import type { Component } from './component.ts'
import { installElasticsearch, JAVA } from './elasticsearch-install.ts'
import { configureElasticsearch } from './elasticsearch-settings.ts'
import { serverUser } from '../machine/folders.ts'
import { findJdk } from '../machine/java.ts'
import { join } from 'node:path'

const CHECK_MS = 5000

/** Elasticsearch: Elastic's reduced distribution from Maven Central, with a plugin for analyzing English text. */
export const elasticsearch: Component = {
  name: 'elasticsearch',
  urlKey: 'ELASTICSEARCH_URL',
  required: false,
  ports: ['elasticsearch'],
  docker: { service: 'elasticsearch' },
  stopSignal: 'SIGTERM',
  readySeconds: 180,

  environment: place => ({ ELASTICSEARCH_URL: `http://127.0.0.1:${place.ports.elasticsearch}` }),

  install: installElasticsearch,

  async launch(context, installed) {
    const folders = configureElasticsearch(context, installed)
    const env = {
      ES_JAVA_HOME: await findJdk(JAVA, context.apt),
      ES_PATH_CONF: folders.config,
      ES_TMPDIR: folders.temporary,
      JAVA_HOME: undefined,
    }
    return { command: join(installed, 'bin/elasticsearch'), args: [], env, user: serverUser(), cwd: folders.temporary }
  },

  async check(environment) {
    const url = new URL('_cluster/health?wait_for_status=yellow&timeout=1s', slash(environment['ELASTICSEARCH_URL']))
    const { username, password } = url
    url.username = url.password = ''
    const headers = username
      ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      : undefined
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(CHECK_MS) })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`Elasticsearch returned ${response.status}`)
  },
}

const slash = (url = ''): string => (url.endsWith('/') ? url : `${url}/`)
