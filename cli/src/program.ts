import { Command } from 'commander'
import { VERSION } from './version.ts'

type Add = (program: Command) => void

interface Module {
  /** Its commands, with what help says of them. */
  commands: Record<string, string>
  load: () => Promise<Add>
}

/** The commands that each kind of resource has. */
const OF_KINDS = 'list, get, create, history, diff, delete, restore'

async function loadKind(kind: string): Promise<Add> {
  const { addKind } = await import('./resources/kind.ts')
  return program => addKind(program.command(kind), kind)
}

/** The commands by module. Only the module of the command is loaded, so that each starts quickly. */
const MODULES: Module[] = [
  {
    commands: {
      login: 'Check a key and keep it in a profile',
      logout: 'Forget the key of a profile',
      whoami: 'Show where commands go, and the workspace of the key',
      profile: 'Profiles: list, use, show, delete; each has an address, a brain and a key',
    },
    load: async () => (await import('./access/access.ts')).addAccess,
  },
  {
    commands: { config: 'Settings: get, set, path' },
    load: async () => (await import('./access/config.ts')).addConfig,
  },
  {
    commands: { keys: 'API keys, for a signed-in person: list, create, rotate, revoke' },
    load: async () => (await import('./access/keys.ts')).addKeys,
  },
  {
    commands: { members: 'Members: list, remove, hand over their tasks and triggers' },
    load: async () => (await import('./access/members.ts')).addMembers,
  },
  {
    commands: { run: 'Run a pathway, follow it, and print its result' },
    load: async () => (await import('./runs/run.ts')).addRun,
  },
  {
    commands: { jobs: 'Runs: list, follow, pause, resume, cancel' },
    load: async () => (await import('./runs/jobs.ts')).addJobs,
  },
  {
    commands: {
      inbox:
        'Questions of runs to people: list, show, answer, claim, delegate, reassign, comment, away, evidence, watch',
    },
    load: async () => (await import('./people/inbox.ts')).addInbox,
  },
  {
    commands: { calendars: 'Working calendars, by which due times count: list, set, delete' },
    load: async () => (await import('./people/calendars.ts')).addCalendars,
  },
  {
    commands: { chat: 'Talk to a neuron, line by line; Ctrl-D ends' },
    load: async () => (await import('./agents/chat.ts')).addChat,
  },
  {
    commands: {
      apply: 'Create and update resources as files describe them; others are not touched',
      diff: 'Show what an apply of these files would change',
      pull: 'Write resources into files: a kind, or kind/slug',
    },
    load: async () => (await import('./resources/apply.ts')).addApply,
  },
  {
    commands: { pathways: `Pathways: ${OF_KINDS}, validate, dry-run` },
    load: async () => (await import('./pathways/pathways.ts')).addPathways,
  },
  {
    commands: { neurons: `Neurons: ${OF_KINDS}, invoke` },
    load: async () => (await import('./agents/neurons.ts')).addNeurons,
  },
  { commands: { receptors: `Receptors: ${OF_KINDS}` }, load: () => loadKind('receptors') },
  { commands: { skills: `Skills: ${OF_KINDS}` }, load: () => loadKind('skills') },
  { commands: { reflexes: `Reflexes: ${OF_KINDS}` }, load: () => loadKind('reflexes') },
  {
    commands: { triggers: `Triggers: ${OF_KINDS}, fire, runs, replay, preview, backfill, hook` },
    load: async () => (await import('./triggers/triggers.ts')).addTriggers,
  },
  {
    commands: { resources: 'Resources of any kind: list, get, patch, history, diff, delete, restore, move' },
    load: async () => (await import('./resources/any.ts')).addAny,
  },
  {
    commands: {
      docs: 'Documents: ingest files and folders, list, get, cat, delete',
      transcribe: 'Transcribe an audio file and print its text',
    },
    load: async () => (await import('./documents/documents.ts')).addDocuments,
  },
  {
    commands: {
      search: 'Search documents and other resources',
      browse: 'List the folders and resources of a folder',
    },
    load: async () => (await import('./search/search.ts')).addSearch,
  },
  {
    commands: {
      events: 'Events of the workspace: tail',
      usage: 'Show tokens and costs of the month, or of a time',
      activity: 'List recorded changes, newest first',
      init: 'Write a sample pathway and the file of a project',
    },
    load: async () => (await import('./audit/workspace.ts')).addWorkspace,
  },
  {
    commands: { webhooks: 'Webhooks: list, get, create, update, delete, rotate, deliveries, replay, test' },
    load: async () => (await import('./webhooks/webhooks.ts')).addWebhooks,
  },
  {
    commands: { stakeholders: 'Stakeholder maps: show, diff, briefing, graph, extract' },
    load: async () => (await import('./stakeholders/stakeholders.ts')).addStakeholders,
  },
  {
    commands: { mcp: 'The MCP server of the service: config' },
    load: async () => (await import('./tools/mcp.ts')).addMcp,
  },
  {
    commands: { api: 'Send any request and print its response' },
    load: async () => (await import('./shared/api.ts')).addApi,
  },
  {
    commands: {
      doctor: 'Check the service, the key, the clock, the versions, and that streams come through',
      version: 'Print the version of this command, and that of the service',
    },
    load: async () => (await import('./shared/doctor.ts')).addDiagnosis,
  },
  {
    commands: { completion: 'Print the completion script of bash, zsh, fish or powershell' },
    load: async () => (await import('./shared/completion.ts')).addCompletion,
  },
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
  const called = args[0] === 'help' ? args[1] : args[0]
  for (const { commands, load } of MODULES) {
    if (isWhole || (called !== undefined && called in commands)) (await load())(program)
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
