import { useNavigate } from '@tanstack/react-router'

type ListAddress = { page?: number | undefined; add?: true | undefined; edit?: number | undefined }

/** Navigation between a list and its forms, which replace it; the URL says which one is open. */
export function useListAddress<S extends ListAddress>({ add: _, edit: __, ...list }: S, searched: keyof S & string) {
  const navigate = useNavigate()
  const go = (search: object, options: { replace?: boolean; ignoreBlocker?: boolean } = {}) =>
    void navigate({ to: '.', search, ...options })
  return {
    /** Returns to the list; asks first if there are unsaved changes. */
    close: () => go(list),
    /** Returns to the list after saving. */
    saved: () => go(list, { ignoreBlocker: true }),
    list: {
      page: list.page ?? 1,
      onPage: (page: number) => go({ ...list, page: page === 1 ? undefined : page }),
      onSearch: (text: string) => go({ [searched]: text || undefined }, { replace: true }),
      onAdd: () => go({ ...list, add: true }),
      onEdit: (edit: number) => go({ ...list, edit }),
    },
  }
}
