import { Command } from 'commander'
import { VERSION } from './version.ts'

/** A module's commands with their help texts, and how to load the module. */
type Module = [commands: Record<string, string>, load: () => Promise<{ add: (program: Command) => unknown }>]

/** Commands that every kind of resource has. */
const OF_KINDS = 'list, get, create, history, diff, delete, restore'

const loadKind = (kind: string) => async () => {
  const { addKind } = await import('./resources/kind.ts')
  return { add: (program: Command) => addKind(program, kind) }
}

/** Commands by module. Only the module with the called command is loaded, so that commands start quickly. */
const MODULES: Module[] = [
  [
    {
      login: 'Sign in and store the API key in a profile',
      logout: "Remove a profile's API key",
      whoami: 'Show the service, workspace and brain in use',
      profile: 'Manage profiles: list, use, show, delete',
    },
    () => import('./access/access.ts'),
  ],
  [{ config: 'Manage settings: get, set, path' }, () => import('./access/config.ts')],
  [{ keys: 'Manage API keys as a signed-in user: list, create, rotate, revoke' }, () => import('./access/keys.ts')],
  [{ 'share-tokens': 'Manage share tokens: list, create, revoke' }, () => import('./access/share-tokens.ts')],
  [
    { members: 'Manage members: list, deactivate, reactivate, remove, hand over tasks and triggers' },
    () => import('./access/members.ts'),
  ],
  [{ run: 'Run a pathway (workflow), follow it and print its result' }, () => import('./runs/run.ts')],
  [
    { jobs: 'Manage runs: list, follow, diagnose, pause, resume, cancel, fork, migrate' },
    () => import('./runs/jobs.ts'),
  ],
  [
    {
      inbox: 'Answer tasks from runs: list, show, answer, claim, delegate, reassign, comment, away, evidence, watch',
    },
    () => import('./people/inbox.ts'),
  ],
  [{ calendars: 'Manage working calendars for due times: list, set, delete' }, () => import('./people/calendars.ts')],
  [{ chat: 'Chat with a neuron (agent); Ctrl-D ends the chat' }, () => import('./agents/chat.ts')],
  [
    {
      apply: 'Create and update resources from files; leaves other resources unchanged',
      diff: 'Preview the changes that apply would make',
      pull: 'Download resources to files: a kind, or kind/slug',
    },
    () => import('./resources/apply.ts'),
  ],
  [{ pathways: `Manage pathways (workflows): ${OF_KINDS}, validate, dry-run` }, () => import('./pathways/pathways.ts')],
  [{ neurons: `Manage neurons (agents): ${OF_KINDS}, invoke` }, () => import('./agents/neurons.ts')],
  [{ receptors: `Manage receptors (gateways): ${OF_KINDS}` }, loadKind('receptors')],
  [{ skills: `Manage skills: ${OF_KINDS}` }, loadKind('skills')],
  [{ reflexes: `Manage reflexes (tool collections): ${OF_KINDS}` }, loadKind('reflexes')],
  [
    { triggers: `Manage triggers: ${OF_KINDS}, fire, runs, replay, preview, backfill, hook` },
    () => import('./triggers/triggers.ts'),
  ],
  [
    { resources: 'Manage resources of any kind: list, get, patch, history, diff, delete, restore, move' },
    () => import('./resources/any.ts'),
  ],
  [
    { docs: 'Manage documents: ingest files and folders, list, get, cat, delete' },
    () => import('./documents/documents.ts'),
  ],
  [{ files: 'Manage files for messages, forms and runs: upload, cat' }, () => import('./documents/files.ts')],
  [{ transcribe: 'Transcribe an audio file and print the text' }, () => import('./speech/transcribe.ts')],
  [
    {
      search: 'Search documents and other resources',
      browse: 'List a folder',
    },
    () => import('./search/search.ts'),
  ],
  [{ events: 'Stream workspace events: tail' }, () => import('./webhooks/events.ts')],
  [{ usage: 'Show tokens and costs, by default for the current month' }, () => import('./access/usage.ts')],
  [{ activity: 'List changes, newest first' }, () => import('./audit/activity.ts')],
  [{ init: 'Create a project with a sample pathway' }, () => import('./resources/init.ts')],
  [
    { webhooks: 'Manage webhooks: list, get, create, update, delete, rotate, deliveries, replay, test' },
    () => import('./webhooks/webhooks.ts'),
  ],
  [
    { stakeholders: 'Work with stakeholder maps: show, diff, briefing, graph, extract' },
    () => import('./stakeholders/stakeholders.ts'),
  ],
  [{ mcp: 'Configure MCP clients: config' }, () => import('./tools/mcp.ts')],
  [{ api: 'Send any API request and print the response' }, () => import('./shared/api.ts')],
  [
    {
      doctor: 'Check the service, the key, the clock, the versions and streaming',
      version: 'Print the versions of the command-line tool and the service',
    },
    () => import('./shared/doctor.ts'),
  ],
  [
    { completion: 'Print a shell completion script for bash, zsh, fish or powershell' },
    () => import('./shared/completion.ts'),
  ],
]

/** Commands that need the whole command tree to complete the words of other commands. */
const OF_ALL = new Set(['complete', 'completion'])

/** Builds the command tree: only the called command in full, or every command if `isWhole` is set. */
export async function buildProgram(args: string[], isWhole = OF_ALL.has(args[0] ?? '')): Promise<Command> {
  const program = new Command('ganglion')
    .description(
      'Run Ganglion pathways (workflows) and neurons (agents), answer their tasks, and manage their resources',
    )
    .version(VERSION, '--version')
    // Options after a command belong to that command, such as --version after "get".
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Use --help to list the options')
  const commandName = args[0] === 'help' ? args[1] : args[0]
  for (const [commands, load] of MODULES) {
    if (isWhole || (commandName !== undefined && commandName in commands)) (await load()).add(program)
    else for (const name of Object.keys(commands)) program.command(name)
    for (const command of program.commands) command.description(commands[command.name()] ?? command.description())
  }
  inherit(program)
  return program
}

/** Makes commands throw instead of ending the process. The shell completion command accepts any words. */
function inherit(command: Command): void {
  for (const child of command.commands) {
    if (child.name() === 'complete') continue
    child.copyInheritedSettings(command)
    inherit(child)
  }
}
