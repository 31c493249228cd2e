/** The groups of routes, in the order in which the reference shows them. */
export const TAGS = {
  Service: 'Health, settings, usage, and this description',
  Access: 'Members, and the credentials of a workspace',
  Sessions: 'Sign-in of users, and their sessions',
  Public: 'What a share token opens',
  Neurons: 'Agents: a model with instructions, tools and skills. Invoking one starts a run.',
  Receptors: 'Stable addresses that invoke a neuron or a pathway',
  Skills: 'Named instructions with files that neurons load when they need them',
  Conversations: 'Chat with a neuron in threads, and what neurons remember over their threads',
  Pathways: 'Graphs of automated steps and human interventions. Executing one starts a run.',
  Triggers: 'What starts runs by itself: at times, on requests, messages and events',
  Jobs: 'Runs: start, follow, pause, resume and cancel them, and read what they have done',
  Interventions: 'What runs ask of people',
  Tools: 'Tools, and the reflexes that offer them',
  Secrets: 'Credentials that tools and nodes send by name',
  Speech: 'Transcription of audio',
  Stakeholders: 'Maps of people and their relations: differences, briefings and pictures',
  Meetings: 'Meetings with live transcription',
  Documents: 'Assets, which are ingested documents, and artifacts, which are edited ones',
  Discovery: 'Browse, folder trees and search over all resources',
  Events: 'The changes of a workspace as a stream',
  Webhooks: 'Signed deliveries of the changes of a workspace to a URL',
  Catalog: 'Resources of all kinds by one set of routes, with their versions',
} as const

export type Tag = keyof typeof TAGS
