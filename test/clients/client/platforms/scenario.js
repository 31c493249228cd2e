/** What the client does on each platform. Plain JavaScript, since it runs where no types are stripped. */
export async function play(Ganglion, GanglionError, options) {
  const ganglion = new Ganglion(options)
  const run = await ganglion.pathways.run('pay', { input: {} })
  const types = []
  for await (const event of run.stream()) types.push(event.type)
  const jobs = await ganglion.jobs.list({ limit: 2 }).toArray()
  const missing = await ganglion.jobs
    .get('missing')
    .catch(error => (GanglionError.is(error) ? error.name : String(error)))
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 20)
  const left = await ganglion.jobs.get('slow', { signal: controller.signal }).catch(error => error.name)
  const { requestId } = await ganglion.jobs.get('j-1').withResponse()
  return {
    jobId: run.jobId,
    types,
    text: await run.text(),
    jobs: jobs.map(job => job.job_id),
    missing,
    left,
    requestId,
  }
}
