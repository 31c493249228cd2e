/** Returns the URL of the console's run list, below the service's public URL. */
export const buildConsoleRunsUrl = (baseUrl: string): string => new URL('/console/runs', baseUrl).href

/** Returns the URL of a page in the console, or undefined without a public URL. */
const buildUrl = (baseUrl: string | undefined, path: string): string | undefined =>
  baseUrl === undefined ? undefined : new URL(path, baseUrl).href

export const buildRunUrl = (baseUrl: string | undefined, jobId: string): string | undefined =>
  buildUrl(baseUrl, `/console/runs/${encodeURIComponent(jobId)}`)

export const buildTaskUrl = (baseUrl: string | undefined, interventionId: string): string | undefined =>
  buildUrl(baseUrl, `/console/inbox/${encodeURIComponent(interventionId)}?view=all`)

export const buildInboxUrl = (baseUrl: string | undefined): string | undefined => buildUrl(baseUrl, '/console/inbox')

/** Returns the URL of the page where people choose their notifications. */
export const buildNotificationSettingsUrl = (baseUrl: string | undefined): string | undefined =>
  buildUrl(baseUrl, '/console/settings?part=notifications')

/** Returns the URL of the automations page, with the trigger selected. */
export const buildTriggerUrl = (baseUrl: string | undefined, triggerId: string): string | undefined =>
  buildUrl(baseUrl, `/console/automations?trigger=${encodeURIComponent(triggerId)}`)

/** Returns a Markdown link from a run in the Temporal UI to its console page. */
export const renderConsoleLink = (consoleRuns: string, jobId: string): string =>
  `[Open in the console](${consoleRuns}/${encodeURIComponent(jobId)})`
