import { Command } from 'commander'
import { VERSION } from './version.ts'

/** Its commands, with what help says of them, and how they are loaded. */
type Module = [commands: Record<string, string>, load: () => Promise<{ add: (program: Command) => unknown }>]

/** The commands that each kind of resource has. */
const OF_KINDS = 'list, get, create, history, diff, delete, restore'

const loadKind = (kind: string) => async () => {
  const { addKind } = await import('./resources/kind.ts')
  return { add: (program: Command) => addKind(program, kind) }
}

/** The commands by module. Only the module of the command is loaded, so that each starts quickly. */
const MODULES: Module[] = [
  [
    {
      login: 'Check a key and keep it in a profile',
      logout: 'Forget the key of a profile',
      whoami: 'Show where commands go, and the workspace of the key',
      profile: 'Profiles: list, use, show, delete; each has an address, a brain and a key',
    },
    () => import('./access/access.ts'),
  ],
  [{ config: 'Settings: get, set, path' }, () => import('./access/config.ts')],
  [{ keys: 'API keys, for a signed-in person: list, create, rotate, revoke' }, () => import('./access/keys.ts')],
  [{ 'share-tokens': 'Share tokens: list, create, revoke' }, () => import('./access/share-tokens.ts')],
  [{ members: 'Members: list, remove, hand over their tasks and triggers' }, () => import('./access/members.ts')],
  [{ run: 'Run a pathway, follow it, and print its result' }, () => import('./runs/run.ts')],
  [{ jobs: 'Runs: list, follow, pause, resume, cancel' }, () => import('./runs/jobs.ts')],
  [
    {
      inbox:
        'Questions of runs to people: list, show, answer, claim, delegate, reassign, comment, away, evidence, watch',
    },
    () => import('./people/inbox.ts'),
  ],
  [
    { calendars: 'Working calendars, by which due times count: list, set, delete' },
    () => import('./people/calendars.ts'),
  ],
  [{ chat: 'Talk to a neuron, line by line; Ctrl-D ends' }, () => import('./agents/chat.ts')],
  [
    {
      apply: 'Create and update resources as files describe them; others are not touched',
      diff: 'Show what an apply of these files would change',
      pull: 'Write resources into files: a kind, or kind/slug',
    },
    () => import('./resources/apply.ts'),
  ],
  [{ pathways: `Pathways: ${OF_KINDS}, validate, dry-run` }, () => import('./pathways/pathways.ts')],
  [{ neurons: `Neurons: ${OF_KINDS}, invoke` }, () => import('./agents/neurons.ts')],
  [{ receptors: `Receptors: ${OF_KINDS}` }, loadKind('receptors')],
  [{ skills: `Skills: ${OF_KINDS}` }, loadKind('skills')],
  [{ reflexes: `Reflexes: ${OF_KINDS}` }, loadKind('reflexes')],
  [
    { triggers: `Triggers: ${OF_KINDS}, fire, runs, replay, preview, backfill, hook` },
    () => import('./triggers/triggers.ts'),
  ],
  [
    { resources: 'Resources of any kind: list, get, patch, history, diff, delete, restore, move' },
    () => import('./resources/any.ts'),
  ],
  [{ docs: 'Documents: ingest files and folders, list, get, cat, delete' }, () => import('./documents/documents.ts')],
  [{ transcribe: 'Transcribe an audio file and print its text' }, () => import('./speech/transcribe.ts')],
  [
    {
      search: 'Search documents and other resources',
      browse: 'List the folders and resources of a folder',
    },
    () => import('./search/search.ts'),
  ],
  [{ events: 'Events of the workspace: tail' }, () => import('./webhooks/events.ts')],
  [{ usage: 'Show tokens and costs of the month, or of a time' }, () => import('./access/usage.ts')],
  [{ activity: 'List recorded changes, newest first' }, () => import('./audit/activity.ts')],
  [{ init: 'Write a sample pathway and the file of a project' }, () => import('./resources/init.ts')],
  [
    { webhooks: 'Webhooks: list, get, create, update, delete, rotate, deliveries, replay, test' },
    () => import('./webhooks/webhooks.ts'),
  ],
  [
    { stakeholders: 'Stakeholder maps: show, diff, briefing, graph, extract' },
    () => import('./stakeholders/stakeholders.ts'),
  ],
  [{ mcp: 'The MCP server of the service: config' }, () => import('./tools/mcp.ts')],
  [{ api: 'Send any request and print its response' }, () => import('./shared/api.ts')],
  [
    {
      doctor: 'Check the service, the key, the clock, the versions, and that streams come through',
      version: 'Print the version of this command, and that of the service',
    },
    () => import('./shared/doctor.ts'),
  ],
  [
    { completion: 'Print the completion script of bash, zsh, fish or powershell' },
    () => import('./shared/completion.ts'),
  ],
]

/** Commands whose words are those of all others. */
const OF_ALL = new Set(['complete', 'completion'])

/** Builds the tree of commands: in full for the command that is called, or for all. */
export async function buildProgram(args: string[], isWhole = OF_ALL.has(args[0] ?? '')): Promise<Command> {
  const program = new Command('ganglion')
    .description('Runs pathways and neurons of Ganglion, answers their questions, and manages what they are made of')
    .version(VERSION, '--version')
    // What stands behind a command is the command's, such as the --version of "get".
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Add --help for the options')
  const commandName = args[0] === 'help' ? args[1] : args[0]
  for (const [commands, load] of MODULES) {
    if (isWhole || (commandName !== undefined && commandName in commands)) (await load()).add(program)
    else for (const name of Object.keys(commands)) program.command(name)
    for (const command of program.commands) command.description(commands[command.name()] ?? command.description())
  }
  inherit(program)
  return program
}

/** Commands throw instead of ending the process. The one that shells call takes any words. */
function inherit(command: Command): void {
  for (const child of command.commands) {
    if (child.name() === 'complete') continue
    child.copyInheritedSettings(command)
    inherit(child)
  }
}
