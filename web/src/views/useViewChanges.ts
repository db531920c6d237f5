import { changeView, orderViews, removeView, setStartView, type View } from '@rogatka/contract/views.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { recordView, viewsQuery } from './opening.ts'
import { filtersOf, minutesOf, type PageSearch, setOpenView } from './openViews.ts'

type Changes = Partial<Pick<View, 'name' | 'shared' | 'search' | 'rangeMinutes'>>

/** Changes an own view; what is not named stays as stored. */
export const sendChange = ({ id, version }: View, changes: Changes): Promise<View> =>
  call(changeView, { params: { id }, body: { ...changes, version } })

/** Changes of views from the menu; a failed one is shown, and the list is read again. */
export function useViewChanges() {
  const { t } = useTranslation('views')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const { mutate } = useMutation({
    mutationFn: ({ run }: { run: () => Promise<unknown>; done?: string }) => run(),
    onSuccess: (_, { done }) => done && showSuccess(done),
    onError: (error) => showWarning(t('not-saved'), error),
    onSettled: () => client.invalidateQueries({ queryKey: viewsQuery.queryKey }),
  })
  return {
    /** Stores the filters and order that the page shows. */
    save: (view: View, search: PageSearch) =>
      mutate({
        done: t('saved'),
        run: async () => {
          const filters = filtersOf(search)
          const rangeMinutes = view.rangeMinutes === null ? null : minutesOf(filters)
          recordView(await sendChange(view, { search: filters, rangeMinutes }), filters)
        },
      }),
    share: (view: View, shared: boolean) =>
      mutate({ done: t(shared ? 'now-shared' : 'no-longer-shared'), run: () => sendChange(view, { shared }) }),
    remove: (view: View) =>
      mutate({
        done: t('deleted'),
        run: async () => {
          await call(removeView, { params: { id: view.id } })
          setOpenView(view.page, undefined)
        },
      }),
    setOrder: (ids: number[]) => {
      client.setQueryData(viewsQuery.queryKey, (views) =>
        ids.flatMap((id) => views?.find((view) => view.id === id) ?? []),
      )
      mutate({ run: () => call(orderViews, { body: { ids } }) })
    },
    setStart: (id: number | null) => {
      client.setQueryData(viewsQuery.queryKey, (views) => views?.map((view) => ({ ...view, isStart: view.id === id })))
      mutate({ run: () => call(setStartView, { body: { id } }) })
    },
  }
}
