import { useNow, When } from '../parts/when.tsx'

const SOON_MS = 86_400_000

/** When an answer is due; without a limit, when it was asked for. */
export function Due({ due, opened }: { due?: string; opened: string }) {
  const now = useNow()
  if (due === undefined)
    return (
      <>
        asked <When time={opened} />
      </>
    )
  return (
    <span className={Date.parse(due) - now < SOON_MS ? 'due-soon' : undefined}>
      due <When time={due} />
    </span>
  )
}
