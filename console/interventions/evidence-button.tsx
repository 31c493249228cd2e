import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { download } from '../parts/download.ts'
import { Failure } from '../parts/failure.tsx'
import { useSignedIn } from '../service/signed-in.tsx'

/** Saves what proves a decision, as `ganglion inbox verify-evidence` reads it. */
export function EvidenceButton({ interventionId }: { interventionId: string }) {
  const { ganglion } = useSignedIn()
  const save = useMutation({
    mutationFn: async () => {
      const evidence = await ganglion.inbox.evidence(interventionId)
      download(JSON.stringify(evidence, null, 2), `evidence-${interventionId}.json`)
    },
  })
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Download the evidence
      </Button>
      {save.error && <Failure error={save.error} />}
    </div>
  )
}
