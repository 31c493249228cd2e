/** The public settings and the encrypted credentials of each channel type. */
export interface ChannelKinds {
  slack: { settings: SlackSettings; credentials: SlackCredentials }
  teams: { settings: TeamsSettings; credentials: TeamsCredentials }
}
export type ChannelType = keyof ChannelKinds

/** Messaging services that people answer from. */
export const CHANNEL_TYPES = ['slack', 'teams'] as const satisfies ChannelType[]

export type ChannelSettings = ChannelKinds[ChannelType]['settings']

/** A channel's type with its settings and credentials. */
export type Connection<T extends ChannelType = ChannelType> = { [K in T]: { type: K } & ChannelKinds[K] }[T]

/** Public facts about a connection, read from the service when the channel is saved. */
export interface SlackSettings {
  /** The Slack workspace. */
  team_id: string
  team: string
  /** The app's own user, whose messages are ignored. */
  bot_user_id: string
}

export interface SlackCredentials {
  bot_token: string
  signing_secret: string
}

export interface TeamsSettings {
  /** The host of the workflow's address. */
  host: string
}

export interface TeamsCredentials {
  /** The secret address of the workflow: everyone who knows it can send messages. */
  webhook_url: string
}

/** The result of an attempt to show a message. */
export interface ShownMessage {
  /** Whether the subject has changed since, so that another attempt is needed now. */
  is_due: boolean
}

/** The prefix of a channel's name in the audit log and in evidence, where credentials are named by their ids. */
const CREDENTIAL_PREFIX = 'channel:'

/** Returns the credential id under which answers from a channel are recorded. */
export const buildChannelCredential = (channelId: string): string => CREDENTIAL_PREFIX + channelId

/** Returns the channel's id, or undefined for another kind of credential. */
export const findCredentialChannel = (keyId: string): string | undefined =>
  keyId.startsWith(CREDENTIAL_PREFIX) ? keyId.slice(CREDENTIAL_PREFIX.length) : undefined
