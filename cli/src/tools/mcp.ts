import type { Command } from 'commander'
import { addGroup, option } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'

const HOSTS = ['claude', 'vscode', 'cursor', 'codex', 'json'] as const
type Host = (typeof HOSTS)[number]

const KEY = 'GANGLION_API_KEY'

/** Adds `mcp config`, which prints the configuration for MCP hosts. */
export function add(program: Command): void {
  addGroup(program, 'mcp', [
    {
      name: 'config <host>',
      summary: `Print the configuration for an MCP host: ${HOSTS.join(', ')}; the key stays in ${KEY}`,
      example: 'mcp config vscode > .vscode/mcp.json\nmcp config claude --toolkit search',
      options: [option('--toolkit <slug>', 'use only the tools in this toolkit')],
      run: (context, [host = ''], { toolkit }: { toolkit?: string }) => {
        if (!HOSTS.some(candidate => candidate === host))
          throw usageError(`Unknown host. Use one of ${HOSTS.join(', ')}`)
        const url = `${context.settings.url}/v1/mcp${toolkit ? `/${encodeURIComponent(toolkit)}` : ''}`
        const config = buildConfig(host as Host, url)
        return context.print({ host, url, config }, () =>
          typeof config === 'string' ? config : JSON.stringify(config, null, 2),
        )
      },
    },
  ])
}

function buildConfig(host: Host, url: string): object | string {
  const header = (variable: string) => ({ Authorization: `Bearer ${variable}` })
  if (host === 'claude')
    return `claude mcp add --transport http ganglion ${url} --header "Authorization: Bearer $${KEY}"`
  if (host === 'codex') return `[mcp_servers.ganglion]\nurl = "${url}"\nbearer_token_env_var = "${KEY}"`
  if (host === 'vscode')
    return {
      inputs: [{ type: 'promptString', id: 'ganglion-key', description: 'Ganglion API key', password: true }],
      servers: { ganglion: { type: 'http', url, headers: header('${input:ganglion-key}') } },
    }
  if (host === 'cursor') return { mcpServers: { ganglion: { url, headers: header(`\${env:${KEY}}`) } } }
  return { mcpServers: { ganglion: { type: 'http', url, headers: header(`\${${KEY}}`) } } }
}
