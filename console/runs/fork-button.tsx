import { Button } from '@mantine/core'
import { IconGitFork } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ForkWish } from './fork-dialog.tsx'

const ForkDialog = lazy(() => import('./fork-dialog.tsx'))

/** Opens the dialog of a fork, which first shows what it would do. */
export function ForkButton({ wish, label }: { wish: ForkWish; label: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconGitFork size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <ForkDialog wish={wish} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
