/** The address of the runs of the console, below the public address of the service. */
export const buildConsoleRunsUrl = (baseUrl: string): string => new URL('/console/runs', baseUrl).href

/** Returns the link from a run in the Temporal UI to its page in the console, as Markdown. */
export const renderConsoleLink = (consoleRuns: string, jobId: string): string =>
  `[Open in the console](${consoleRuns}/${encodeURIComponent(jobId)})`
