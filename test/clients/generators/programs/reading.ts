declare const process: { env: Record<string, string> }

export const { GANGLION_URL: baseUrl, GANGLION_API_KEY: apiKey, GANGLION_JOB: jobId } = process.env

export const print = (reading: { jobs: string[]; status: string; stream: string; error: string | undefined }): void =>
  console.log(JSON.stringify(reading))
