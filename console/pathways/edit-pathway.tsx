import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Editor } from './editor.tsx'
import { usePathwayQuery } from './queries.ts'

const route = getRouteApi('/pathways/$pathwayId/edit')

export function EditPathway() {
  const { data, error, refetch } = useQuery(usePathwayQuery(route.useParams().pathwayId))
  if (data) return <Editor key={data.id} pathway={data} />
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />
}

export const NewPathway = () => <Editor />
