/** What the event streams of jobs are to this room; `streams/job-reader.ts` is it in production. */
export interface JobFeed {
  /** See `JobReader.follow`. Throws Unavailable when the streams cannot be reached. */
  follow(jobId: string, after?: string): Promise<{ begin(sink: FeedSink): void; stop(): void }>
}

/** One event. The same object comes to every client of the job. */
export interface FeedEntry {
  id: string
  json: string
  ends: boolean
}

export interface FeedSink {
  entry(entry: FeedEntry): boolean
  drained(): Promise<void>
  gap(missing: { at: string; ends: boolean }): Promise<void>
  caughtUp(): Promise<void>
  finished(): void
}
