import type { ModelTasks } from './model-process.ts'

/** Gives each task to the one with the fewest in progress. */
export function createModelPool(all: ModelTasks[]): ModelTasks {
  const members = all.map(tasks => ({ tasks, inProgress: 0 }))

  async function run<T>(work: (tasks: ModelTasks) => Promise<T>): Promise<T> {
    const member = members.reduce((least, each) => (each.inProgress < least.inProgress ? each : least))
    member.inProgress++
    try {
      return await work(member.tasks)
    } finally {
      member.inProgress--
    }
  }

  return {
    embed: (texts, signal) => run(tasks => tasks.embed(texts, signal)),
    chunk: (text, signal) => run(tasks => tasks.chunk(text, signal)),
  }
}
