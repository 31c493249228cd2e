import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from './loading.tsx'

/** A part of a page whose code is loaded when it is shown. */
export function showLater<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part = lazy(load) as ComponentType<Props>
  return (props: Props) => (
    <Suspense fallback={<Loading />}>
      <Part {...props} />
    </Suspense>
  )
}
