/** Route groups in the order of the reference. */
export const TAGS = {
  Service: 'Read the health, settings and usage of the service, and this API description.',
  Access: 'Manage the members, brains (projects) and credentials of a workspace.',
  Sessions: 'Sign users in and manage their sessions.',
  Public: 'People without an account use these routes with a share token.',
  Neurons: 'Neurons (agents) combine a model with instructions, tools and skills. Invoking a neuron starts a run.',
  Receptors: 'Receptors (gateways) are stable addresses that invoke a neuron (agent) or a pathway (workflow).',
  Skills: 'Skills are named instructions with files. Neurons (agents) load them on demand.',
  Conversations:
    'Chat with a neuron (agent) in threads, and manage recollections (memories), which neurons keep across threads.',
  Pathways:
    'Pathways (workflows) are graphs of automated steps and interventions (human tasks). Executing a pathway starts a run.',
  Triggers: 'Triggers start runs automatically: on schedules, requests, messages and events.',
  Jobs: 'Jobs are runs. Start, stream, pause, resume and cancel them, and read their results.',
  Interventions: 'Interventions (human tasks) are approvals, forms and questions that runs send to people.',
  Tools: 'Call tools, and manage reflexes (tool collections).',
  Secrets: 'Secrets are credentials that tools and nodes refer to by name and send with their requests.',
  Speech: 'Transcribe audio.',
  Stakeholders: 'Stakeholder maps describe people and their relations. Read differences, briefings and diagrams.',
  Meetings: 'Meetings are transcribed while they take place.',
  Documents: 'Documents are assets (ingested files) or artifacts (texts edited in Ganglion).',
  Discovery: 'Browse, list and search all resources.',
  Events: 'Stream the changes of a workspace.',
  Webhooks: 'Webhooks deliver workspace events to a URL, with a signature.',
  Channels:
    'Channels connect a workspace to a messaging service, where people answer tasks and talk to receptors (gateways).',
  Catalog: 'Read and change resources of all kinds, and their versions, through one set of routes.',
} as const

export type Tag = keyof typeof TAGS
