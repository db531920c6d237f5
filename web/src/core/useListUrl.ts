import { useNavigate } from '@tanstack/react-router'
import type { Level } from '../ui/sortLevels.ts'
import { orderText } from './urlParams.ts'

type ListSearch = {
  page?: number | undefined
  order?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Navigation between a list and its forms, which replace it; the URL says which one is open. */
export function useListUrl<S extends ListSearch>({ add: _, edit: __, ...list }: S, searchKey: keyof S & string) {
  const navigate = useNavigate()
  const navigateTo = (search: object, options: { replace?: boolean; ignoreBlocker?: boolean } = {}) =>
    void navigate({ to: '.', search, ...options })
  return {
    /** Returns to the list; asks first if there are unsaved changes. */
    close: () => navigateTo(list),
    /** Returns to the list after saving. */
    saved: () => navigateTo(list, { ignoreBlocker: true }),
    list: {
      page: list.page ?? 1,
      onPage: (page: number) => navigateTo({ ...list, page: page === 1 ? undefined : page }),
      onSearch: (text: string) => navigateTo({ order: list.order, [searchKey]: text || undefined }, { replace: true }),
      order: list.order,
      onOrder: (level: Level | undefined) => navigateTo({ ...list, page: undefined, order: orderText(level) }),
      onAdd: () => navigateTo({ ...list, add: true }),
      onEdit: (edit: number) => navigateTo({ ...list, edit }),
    },
  }
}
