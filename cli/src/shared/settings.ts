import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, parse as parsePath } from 'node:path'
import { parse, stringify } from 'yaml'
import { CliError, EXIT, usageError } from './exit.ts'

/** Connection settings: a service address and a brain. */
export interface Profile {
  url: string
  brain?: string
}

interface Config {
  current?: string
  profiles: Record<string, Profile>
}

export interface Overrides {
  profile?: string
  url?: string
  brain?: string
}

/** The effective settings of a command. */
export interface Settings {
  profile?: string
  url: string
  brain?: string
  apiKey?: string
  /** Session token of a signed-in user. */
  session?: string
}

/** Secrets of a profile: an API key, a session, or both. */
export interface ProfileSecrets {
  apiKey?: string
  session?: string
}

const DEFAULT_PROFILE = 'default'
const PROJECT_FILE = 'ganglion.yaml'
const OWNER_ONLY = 0o600

const getBaseFolder = (variable: string, ...fallback: string[]) =>
  join(process.env[variable] || join(homedir(), ...fallback), 'ganglion')
const configFolder = () => getBaseFolder('XDG_CONFIG_HOME', '.config')
const secretsFile = (name: 'keys' | 'sessions') => join(configFolder(), `${name}.yaml`)

/** Path of the profiles file. Keys and sessions are stored in files next to it, which only their owner can read. */
export const configFile = (): string => join(configFolder(), 'config.yaml')
/** Folder where commands store their progress. */
export const stateFolder = (): string => getBaseFolder('XDG_STATE_HOME', '.local', 'state')

/** File whose modification time is the time of the latest version check. */
export const checkFile = (): string => join(stateFolder(), 'version-check')

/** Returns the parsed YAML of a file, or undefined if it doesn't exist. The files belong to the user. */
function readYaml(file: string): object | undefined {
  return existsSync(file) ? ((parse(readFileSync(file, 'utf8')) as object | null) ?? undefined) : undefined
}

/** Replaces a file atomically, so that a killed command leaves the old file intact. */
export function writeOwn(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, text, { mode: OWNER_ONLY })
  renameSync(`${file}.new`, file)
}

export const readConfig = (): Config => ({ profiles: {}, ...(readYaml(configFile()) as Partial<Config>) })
export const readKeys = (): Record<string, string> => readSecrets('keys')
const readSecrets = (name: 'keys' | 'sessions') => (readYaml(secretsFile(name)) ?? {}) as Record<string, string>

/** Stores or removes a secret of a profile. */
function writeSecret(name: 'keys' | 'sessions', profile: string, secret: string | undefined): void {
  const { [profile]: before, ...others } = readSecrets(name)
  if (before !== secret)
    writeOwn(secretsFile(name), stringify(secret === undefined ? others : { ...others, [profile]: secret }))
}

/**
 * Saves a profile and, by default, makes it the current one. Existing secrets are kept only if the address stays the
 * same.
 */
export function saveProfile(
  name: string,
  profile: Profile,
  { apiKey, session }: ProfileSecrets,
  current: string | undefined = name,
): void {
  const config = readConfig()
  if (config.profiles[name] && normalize(config.profiles[name].url) !== normalize(profile.url)) forgetSecrets(name)
  if (apiKey !== undefined) writeSecret('keys', name, apiKey)
  if (session !== undefined) writeSecret('sessions', name, session)
  saveConfig({ ...config, current, profiles: { ...config.profiles, [name]: profile } })
}

export const saveConfig = (config: Config): void => writeOwn(configFile(), stringify(config))

/** Removes the key and the session of a profile. */
export function forgetSecrets(name: string): void {
  writeSecret('keys', name, undefined)
  writeSecret('sessions', name, undefined)
}

/** Removes a profile and its secrets. */
export function removeProfile(name: string): void {
  forgetSecrets(name)
  const { profiles, current } = readConfig()
  const { [name]: _, ...rest } = profiles
  saveConfig({ current: current === name ? undefined : current, profiles: rest })
}

const readProjectFile = (file: string): (Overrides & { api_key?: unknown }) | undefined => readYaml(file)

/**
 * Reads the project settings from the nearest project file, searching upwards from the working folder. The file never
 * contains a key.
 */
function readProject(): Overrides {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const project = readProjectFile(join(folder, PROJECT_FILE))
    if (project?.api_key !== undefined)
      throw usageError(
        `Remove the key from ${join(folder, PROJECT_FILE)}. Use "ganglion login" or GANGLION_API_KEY instead`,
      )
    if (project) return project
    if (folder === parsePath(folder).root) return {}
  }
}

/** Returns the name of the profile in use. */
export function resolveProfileName({ profile }: Overrides, project: Overrides = readProject()): string {
  return profile ?? process.env['GANGLION_PROFILE'] ?? project.profile ?? readConfig().current ?? DEFAULT_PROFILE
}

/** An effective setting and its source. */
export interface Origin {
  name: 'profile' | 'url' | 'brain'
  value: string | null
  from: 'flag' | 'environment' | 'project' | 'profile' | 'default' | null
}

/**
 * Finds the address and the brain. Flags take precedence over the environment, the environment over the project file,
 * and the project file over the profile. The profile's brain is used only with the profile's own address.
 */
function findPlace(flags: Overrides, project: Overrides, profile: Profile | undefined) {
  const url = findOrigin('url', flags, process.env['GANGLION_URL'], project, profile?.url)
  const isOwn = profile !== undefined && url.value !== null && normalize(profile.url) === normalize(url.value)
  const brain = findOrigin('brain', flags, process.env['GANGLION_BRAIN'], project, isOwn ? profile.brain : undefined)
  return { url, brain, isOwn }
}

function findOrigin(
  name: Origin['name'],
  flags: Overrides,
  inEnvironment: string | undefined,
  project: Overrides,
  storedValue: string | undefined,
  fallback?: string,
): Origin {
  const places: [Origin['from'], string | undefined][] = [
    ['flag', flags[name]],
    ['environment', inEnvironment],
    ['project', project[name]],
    ['profile', storedValue],
    ['default', fallback],
  ]
  const [from, value] = places.find(([, candidate]) => candidate) ?? [null, undefined]
  return { name, value: value ?? null, from }
}

/** Returns the effective settings. A stored key is sent only to the address that it was stored for. */
export function resolveSettings(flags: Overrides): Settings {
  const project = readProject()
  const name = resolveProfileName(flags, project)
  const profile = readConfig().profiles[name]
  if (flags.profile !== undefined && !profile)
    throw new CliError(EXIT.notFound, `Profile ${name} does not exist. Run "ganglion profile list"`)
  const { url, brain, isOwn } = findPlace(flags, project, profile)
  if (url.value === null)
    throw new CliError(
      EXIT.denied,
      'No service configured. Run "ganglion login", or set GANGLION_URL and GANGLION_API_KEY',
    )
  if (!URL.canParse(url.value)) throw usageError(`${url.value} is not a valid URL`)
  const apiKey = process.env['GANGLION_API_KEY'] || (isOwn ? readKeys()[name] : undefined)
  const session = process.env['GANGLION_SESSION'] || (isOwn ? readSecrets('sessions')[name] : undefined)
  const profileName = isOwn ? name : undefined
  return { profile: profileName, url: normalize(url.value), brain: brain.value ?? undefined, apiKey, session }
}

/** Lists the effective settings. */
export function explainSettings(flags: Overrides): Origin[] {
  const project = readProject()
  const { current, profiles } = readConfig()
  const { url, brain } = findPlace(flags, project, profiles[resolveProfileName(flags, project)])
  const inEnvironment = process.env['GANGLION_PROFILE']
  return [findOrigin('profile', flags, inEnvironment, project, current, DEFAULT_PROFILE), url, brain]
}

export const normalize = (url: string): string => url.replace(/\/+$/, '')
