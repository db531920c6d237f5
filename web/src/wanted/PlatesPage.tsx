import { Select } from '@mantine/core'
import { BLACK, plateOrders, type TypeOfList } from '@rogatka/contract/options.ts'
import { addPlate, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { levelOf, orderText } from '../core/urlParams.ts'
import { useRight } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useTitle } from '../core/useTitle.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Notice } from '../ui/Notice.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { useSelection } from '../ui/useSelection.ts'
import { isExpired, isExpiring, usePlateColumns } from './columns.tsx'
import { DeletePlate } from './DeleteEntry.tsx'
import { ExtendEntry } from './ExtendEntry.tsx'
import { HitsDialog } from './HitsDialog.tsx'
import { LatestHits } from './LatestHits.tsx'
import { useOpenHits } from './openHits.ts'
import { PlateForm } from './PlateForm.tsx'
import { PlateTools } from './PlateTools.tsx'
import { ReadOnlyEntry } from './ReadOnlyEntry.tsx'
import { StateFilter } from './StateFilter.tsx'
import { ORDERS, ordersFor, readWantedSearch, type WantedSearch } from './search.ts'
import { UploadPanel } from './UploadPanel.tsx'
import { uploads } from './uploads.ts'
import { useFirstPage } from './useFirstPage.ts'
import { useOpenedEntry } from './useOpenedEntry.ts'
import { useOwners } from './useOwners.ts'
import { invalidateWanted, usePlates } from './useWanted.ts'
import css from './Wanted.module.css'
import { WantedTable } from './WantedTable.tsx'

/** Page of a plate list: form and file upload, table of entries. */
export function PlatesPage({ typeOfList }: { typeOfList: TypeOfList }) {
  const { t } = useTranslation('wanted')
  const title = t(typeOfList === BLACK ? 'title-black' : 'title-white')
  useTitle(title)
  const {
    page = 1,
    userId,
    text: search,
    state,
    hits,
    edit,
    plate: newPlate,
    ...rest
  } = readWantedSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const toFirstPage = useFirstPage()
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const { owners, self, canManage } = useOwners()
  const isMasked = useRight('Anonymization')
  const order = ordersFor({ isMasked }).find((option) => option === rest.order) ?? '-createdAt'
  const [owner, setOwner] = useState<number | null>(null)
  const selection = useSelection<WireWantedPlate>(({ plateLpr }) => plateLpr)
  const searchField = useRef<HTMLInputElement>(null)
  useShortcuts(isMasked ? [] : [{ key: '/', label: t('search'), run: () => searchField.current?.focus() }])
  const navigateTo = (to: WantedSearch) =>
    void navigate({
      to: '.',
      search: readWantedSearch({ userId, text: search, state, order, ...to }),
    })

  const onAdded = (text: string) => {
    showSuccess(text)
    void invalidateWanted(client)
    toFirstPage()
  }
  const refetch = () => void invalidateWanted(client)
  const query = { typeOfList, userId, search: isMasked ? undefined : search, state, order }
  const result = usePlates(query, page)
  const edited = useOpenedEntry(result.data?.content, edit)
  const withHits = useOpenedEntry(result.data?.content, hits)
  const openEntries = new Set(useOpenHits().flatMap(({ entries }) => entries.map(({ id }) => id)))
  const columns = usePlateColumns({
    withOwner: owners !== null,
    onHits: ({ id }) => navigateTo({ page, hits: id }),
    actions: (plate) => {
      if (!plate.manageable) return <ReadOnlyEntry />
      const remove = <DeletePlate plate={plate} onDeleted={refetch} />
      // Users without access to plates cannot edit them.
      if (isMasked) return remove
      return (
        <div className={css.row}>
          <EntryActions name={plate.plateLpr} onEdit={() => navigateTo({ page, edit: plate.id })}>
            {remove}
          </EntryActions>
        </div>
      )
    },
    extend: (plate) =>
      plate.manageable &&
      !isMasked &&
      plate.expiresAt &&
      isExpiring(plate) && <ExtendEntry plate={{ ...plate, expiresAt: plate.expiresAt }} onExtended={refetch} />,
  })
  return (
    <PageLayout title={<ListTitle>{title}</ListTitle>}>
      {isMasked ? (
        <div className={css.entry}>
          <Notice kind="quiet">{t('anonymised-hint')}</Notice>
        </div>
      ) : (
        <div className={css.entry}>
          <PlateForm
            typeOfList={typeOfList}
            owners={owners}
            self={self}
            onOwner={setOwner}
            initialPlate={newPlate}
            onSaved={() => onAdded(t('plate-added'))}
            onStale={refetch}
          />
          <UploadPanel
            upload={uploads[typeOfList]}
            hint={t('csv-plates')}
            cellsOf={({ plate, expiresAt, description }) => [
              plate,
              expiresAt === null ? t('no-expiry') : formatDateTime(expiresAt),
              description,
            ]}
            headers={[t('plate'), t('expires'), t('ui:description')]}
            send={({ plate, description, expiresAt, allowMisread }, signal) =>
              call(addPlate, {
                body: { plateLpr: plate, typeOfList, description, expiresAt, allowMisread, userId: owner },
                signal,
                background: true,
              })
            }
            onSent={(count) => onAdded(t('rows-added', { count }))}
          />
        </div>
      )}
      <WantedTable
        order={{
          columns: plateOrders.filter((column) => ordersFor({ isMasked }).includes(column)),
          level: levelOf(order),
          onChange: (level) =>
            navigateTo({ order: ORDERS.find((option) => option === orderText(level)) ?? '-createdAt' }),
        }}
        label={title}
        result={result}
        columns={columns}
        page={page}
        onPage={(to) => navigateTo({ page: to })}
        search={
          <>
            {!isMasked && (
              <SearchField
                label={t(owners ? 'search-owner' : 'search')}
                value={search ?? ''}
                onSearch={(text) => navigateTo({ text: text || undefined })}
                field={searchField}
                focusKey="/"
              />
            )}
            <StateFilter state={state} counts={result.data?.states} onState={(to) => navigateTo({ state: to })} />
          </>
        }
        toneOf={(plate) => (openEntries.has(plate.id) ? 'wanted' : isExpired(plate) ? 'faded' : undefined)}
        selection={{ selected: selection, nameOf: ({ plateLpr }) => plateLpr }}
        nothing={
          search
            ? t('none-found', { search })
            : state
              ? t('none-of-state')
              : t(
                  userId
                    ? 'no-plates-of-user'
                    : `${typeOfList === BLACK ? 'no-black' : 'no-white'}${isMasked ? '-anonymised' : ''}`,
                )
        }
        tools={
          <>
            {owners && (
              <Select
                className={css.owner ?? ''}
                aria-label={t('entries-of')}
                placeholder={t('entries-of-all')}
                data={owners}
                searchable
                clearable
                clearButtonProps={{ 'aria-label': t('entries-of-all') }}
                nothingFoundMessage={t('no-user')}
                comboboxProps={{ transitionProps: { duration: 0 } }}
                value={userId === undefined ? null : String(userId)}
                onChange={(id) => navigateTo({ userId: id === null ? undefined : Number(id) })}
              />
            )}
            <PlateTools
              query={query}
              count={result.data?.totalCount}
              selection={selection}
              canDeleteFound={canManage(userId)}
              onOrder={(next) => navigateTo({ order: next })}
            />
          </>
        }
      />
      {typeOfList === BLACK && <LatestHits />}
      {hits !== undefined && <HitsDialog key={hits} id={hits} plate={withHits} onClose={() => navigateTo({ page })} />}
      {edited?.manageable && (
        <Dialog
          title={t('ui:change-named', { name: edited.plateLpr })}
          from="right"
          open
          onClose={() => navigateTo({ page })}
        >
          <PlateForm
            key={edited.id}
            typeOfList={typeOfList}
            entry={edited}
            owners={owners}
            self={self}
            onStale={refetch}
            onCancel={() => navigateTo({ page })}
            onSaved={() => {
              showSuccess(t('ui:saved', { name: edited.plateLpr }))
              void invalidateWanted(client)
              navigateTo({ page })
            }}
          />
        </Dialog>
      )}
    </PageLayout>
  )
}
