import { disableVariant, enableVariant, type WireSignGroup } from '@rogatka/contract/vms.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { withGroup } from './signs.ts'
import { GROUPS_KEY } from './useSignGroups.ts'

/** Command for all signs of a group: a variant to enable, null to disable. */
type Command = { variant: number | null }

/** Commands all signs of a group; `data` has the result of each sign. Shows a toast if all succeeded. */
export function useGroupCommand({ group: { id, description } }: WireSignGroup) {
  const { t } = useTranslation('vms')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  return useMutation({
    mutationFn: ({ variant }: Command) =>
      variant === null
        ? call(disableVariant, { params: { groupId: id } })
        : call(enableVariant, { params: { groupId: id, variantId: variant } }),
    onSuccess: async ({ group, results }, { variant }) => {
      // Running polls would overwrite the result with older data.
      await client.cancelQueries({ queryKey: GROUPS_KEY })
      client.setQueriesData<WireSignGroup[]>({ queryKey: GROUPS_KEY }, (old) => old && withGroup(old, group))
      if (results.every((result) => result.done))
        showSuccess(t(variant === null ? 'all-disabled' : 'all-enabled', { group: description, count: results.length }))
    },
    onError: () => client.invalidateQueries({ queryKey: GROUPS_KEY }),
  })
}
