import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ActionButton } from '../parts/action-button.tsx'
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
      <ActionButton icon={IconDownload} loading={save.isPending} onClick={() => save.mutate()}>
        Download the evidence
      </ActionButton>
      {save.error && <Failure error={save.error} />}
    </div>
  )
}
