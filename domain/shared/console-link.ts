/** Returns the URL of the console's run list, below the service's public URL. */
export const buildConsoleRunsUrl = (baseUrl: string): string => new URL('/console/runs', baseUrl).href

/** Returns a Markdown link from a run in the Temporal UI to its console page. */
export const renderConsoleLink = (consoleRuns: string, jobId: string): string =>
  `[Open in the console](${consoleRuns}/${encodeURIComponent(jobId)})`
