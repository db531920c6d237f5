import { Select } from '@mantine/core'
import { addPlate, BLACK, type TypeOfList, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { Screen } from '../core/frame/Screen.tsx'
import { useDoneToast } from '../core/useDoneToast.ts'
import { useTitle } from '../core/useTitle.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import { usePlateColumns } from './columns.tsx'
import { DeletePlate } from './DeleteEntry.tsx'
import { EntryList } from './EntryList.tsx'
import { HitsDialog } from './HitsDialog.tsx'
import { PlateForm } from './PlateForm.tsx'
import { readWantedSearch, type WantedSearch } from './search.ts'
import { UploadPanel } from './UploadPanel.tsx'
import { uploads } from './uploads.ts'
import { useOwners } from './useOwners.ts'
import { forgetWanted, usePlates } from './useWanted.ts'
import css from './Wanted.module.css'

/** A list of plates: what is to be added, and what stands on it. */
export function PlatesScreen({ typeOfList }: { typeOfList: TypeOfList }) {
  const { t } = useTranslation('wanted')
  const title = t(typeOfList === BLACK ? 'title-black' : 'title-white')
  useTitle(title)
  const { page = 1, userId, hits } = readWantedSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const client = useQueryClient()
  const done = useDoneToast()
  const { owners, self } = useOwners()
  const [owner, setOwner] = useState<number | null>(null)
  const go = (to: WantedSearch) =>
    void navigate({ to: '.', search: { userId, ...to, page: to.page === 1 ? undefined : to.page } })

  const changed = (words: string) => {
    done(words)
    void forgetWanted(client)
    go({})
  }
  const result = usePlates(typeOfList, page, userId)
  const columns = usePlateColumns({
    withOwner: owners !== null,
    onHits: ({ id }) => go({ page, hits: id }),
    remove: (plate: WireWantedPlate) => <DeletePlate plate={plate} onDeleted={() => void forgetWanted(client)} />,
  })
  return (
    <Screen title={<ListTitle>{title}</ListTitle>}>
      <div className={css.entry}>
        <PlateForm
          typeOfList={typeOfList}
          owners={owners}
          owner={owner ?? self}
          onOwner={setOwner}
          onAdded={() => changed(t('plate-added'))}
        />
        <UploadPanel
          upload={uploads[typeOfList]}
          hint={t('csv-plates')}
          cellsOf={({ plate, description }) => [plate, description]}
          heads={[t('plate'), t('description')]}
          send={({ plate, description }, signal) =>
            call(addPlate, {
              body: { plateLpr: plate, typeOfList, description, userId: owner },
              signal,
              background: true,
            })
          }
          onSent={(count) => changed(t('rows-added', { count }))}
        />
      </div>
      <EntryList
        label={title}
        result={result}
        columns={columns}
        page={page}
        onPage={(to) => go({ page: to })}
        nothing={t(userId ? 'no-plates-of-user' : typeOfList === BLACK ? 'no-black' : 'no-white')}
        tools={
          owners && (
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
              onChange={(id) => go({ userId: id === null ? undefined : Number(id) })}
            />
          )
        }
      />
      {hits !== undefined && (
        <HitsDialog
          key={hits}
          id={hits}
          plate={result.data?.content.find(({ id }) => id === hits)}
          onClose={() => go({ page })}
        />
      )}
    </Screen>
  )
}
