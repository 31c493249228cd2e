/** Returns the URL of the console's run list, below the service's public URL. */
export const buildConsoleRunsUrl = (baseUrl: string): string => new URL('/console/runs', baseUrl).href

/** Returns the URL of a run's page in the console. */
export const buildRunUrl = (baseUrl: string, jobId: string): string =>
  `${buildConsoleRunsUrl(baseUrl)}/${encodeURIComponent(jobId)}`

/** Returns the URL of a task's page in the console. */
export const buildTaskUrl = (baseUrl: string, interventionId: string): string =>
  new URL(`/console/inbox/${encodeURIComponent(interventionId)}?view=all`, baseUrl).href

export const buildInboxUrl = (baseUrl: string): string => new URL('/console/inbox', baseUrl).href

/** Returns the URL of the page where people choose their notifications. */
export const buildNotificationSettingsUrl = (baseUrl: string): string =>
  new URL('/console/settings?part=notifications', baseUrl).href

/** Returns the URL of the console's automations page, with the trigger selected. */
export const buildTriggerUrl = (baseUrl: string, triggerId: string): string =>
  new URL(`/console/automations?trigger=${encodeURIComponent(triggerId)}`, baseUrl).href

/** Returns a Markdown link from a run in the Temporal UI to its console page. */
export const renderConsoleLink = (consoleRuns: string, jobId: string): string =>
  `[Open in the console](${consoleRuns}/${encodeURIComponent(jobId)})`
