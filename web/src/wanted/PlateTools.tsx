import { Button, Select } from '@mantine/core'
import { exportPlates, removePlates, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { BulkDelete } from '../ui/BulkDelete.tsx'
import { FileIcon } from '../ui/icons.tsx'
import type { useSelection } from '../ui/useSelection.ts'
import { ORDERS, ordersFor, type PlateOrdering } from './search.ts'
import { invalidateWanted, type PlateQuery } from './useWanted.ts'
import css from './Wanted.module.css'

type Props = {
  query: PlateQuery
  /** Number of matching entries; undefined while loading. */
  count: number | undefined
  selection: ReturnType<typeof useSelection<WireWantedPlate>>
  /** Whether the user can manage the owners of all matching entries. */
  canDeleteFound: boolean
  onOrder: (order: PlateOrdering) => void
}

/** Toolbar: delete selected or found entries, sorting, download. */
export function PlateTools({ query, count = 0, selection, canDeleteFound, onOrder }: Props) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const isMasked = useRight('Anonymization')
  const downloadGroup = `wanted ${query.typeOfList}`
  const running = useDownload(downloadGroup)
  const { typeOfList, userId, search, state, order } = query

  const remove = async (body: Parameters<typeof call<typeof removePlates>>[1]['body']) => {
    try {
      const { deleted } = await call(removePlates, { body })
      showSuccess(t('deleted-count', { count: deleted }))
      selection.clear()
    } catch (error) {
      showWarning(t('ui:delete-failed'), error)
    }
    await invalidateWanted(client)
  }
  const texts = (key: 'delete-count' | 'delete-found', total: number) => ({
    button: t(key, { count: number(total) as never }),
    question: t('delete-many-question', { count: number(total) as never }),
    confirm: t('ui:delete'),
  })
  const save = () =>
    void download({
      group: downloadGroup,
      item: 'csv',
      failure: t('export-failed'),
      requestLink: (signal) =>
        call(exportPlates, { query: { typesOfLists: [typeOfList], userId, search, state }, signal }),
    })
  return (
    <>
      <BulkDelete
        names={selection.names}
        texts={texts('delete-count', selection.ids.size)}
        onConfirm={() => remove({ ids: [...selection.ids] })}
      />
      {search && canDeleteFound && count > 0 && selection.ids.size === 0 && (
        <BulkDelete
          names={[t('found-by', { search })]}
          texts={texts('delete-found', count)}
          onConfirm={() =>
            remove({ found: { typeOfList, userId: userId ?? null, search, state: state ?? null, count } })
          }
        />
      )}
      <Select
        className={css.order ?? ''}
        aria-label={t('order')}
        data={ordersFor({ isMasked }).map((value) => ({ value, label: t(`order-${value}`) }))}
        allowDeselect={false}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={order}
        onChange={(value) => onOrder(ORDERS.find((option) => option === value) ?? '-createdAt')}
      />
      <Button
        variant="default"
        leftSection={<FileIcon />}
        loading={running !== null}
        disabled={count === 0}
        onClick={save}
      >
        {t('export')}
      </Button>
    </>
  )
}
