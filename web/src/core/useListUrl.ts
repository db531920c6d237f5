import { useNavigate } from '@tanstack/react-router'

type ListSearch = { page?: number | undefined; add?: true | undefined; edit?: number | undefined }

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
      onSearch: (text: string) => navigateTo({ [searchKey]: text || undefined }, { replace: true }),
      onAdd: () => navigateTo({ ...list, add: true }),
      onEdit: (edit: number) => navigateTo({ ...list, edit }),
    },
  }
}
