import { MAX_PHOTOS, photoFile, photoTypes, removePhoto, type WireInspection } from '@rogatka/contract/inspections.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, callBlob } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { CameraIcon, CloseIcon } from '../ui/icons.tsx'
import { readPhoto } from './photoStore.ts'
import css from './Result.module.css'
import { inspectionKey } from './sending.ts'
import type { InspectionWork } from './useInspectionWork.ts'

type Props = { inspection: WireInspection; work: InspectionWork; isChangeable: boolean }

/** Photos of the inspection: stored ones, and those that are still on the device. */
export function Photos({ inspection, work: { work, addPhotos }, isChangeable }: Props) {
  const { t } = useTranslation('inspections')
  const showWarning = useWarningToast()
  const { id, photos } = inspection
  const count = photos.length + work.photos.length
  const remove = (number: number) =>
    void call(removePhoto, { params: { id, number } })
      .then(() => queryClient.invalidateQueries({ queryKey: inspectionKey(id) }))
      .catch((error: unknown) => showWarning(t('photo-not-removed'), error))
  return (
    <section className={css.section}>
      <h2>
        {t('photos')} <small>{t('of', { count, of: MAX_PHOTOS })}</small>
      </h2>
      <ul className={css.photos}>
        {photos.map(({ number }) => (
          <li key={number}>
            <StoredPhoto id={id} number={number} />
            {isChangeable && (
              <button type="button" aria-label={t('remove-photo', { number })} onClick={() => remove(number)}>
                <CloseIcon />
              </button>
            )}
          </li>
        ))}
        {work.photos.map((key, at) => (
          <li key={key} className={css.unsent}>
            <UnsentPhoto photoKey={key} number={photos.length + at + 1} />
          </li>
        ))}
        {isChangeable && count < MAX_PHOTOS && (
          <li>
            <label className={css.addPhoto}>
              <CameraIcon size={20} />
              <span>{t('photo')}</span>
              <input
                type="file"
                accept={photoTypes.join(',')}
                capture="environment"
                multiple
                aria-label={t('add-photo')}
                onChange={({ currentTarget }) => {
                  addPhotos([...(currentTarget.files ?? [])].slice(0, MAX_PHOTOS - count))
                  currentTarget.value = ''
                }}
              />
            </label>
          </li>
        )}
      </ul>
    </section>
  )
}

function StoredPhoto({ id, number }: { id: number; number: number }) {
  const { t } = useTranslation('inspections')
  const { data } = useQuery({
    queryKey: ['inspections', 'photo', id, number],
    queryFn: ({ signal }) => callBlob(photoFile, { params: { id, number }, signal, background: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const url = useObjectUrl(data)
  return url ? <img src={url} alt={t('photo-number', { number })} /> : <span className={css.noPhoto} />
}

function UnsentPhoto({ photoKey, number }: { photoKey: string; number: number }) {
  const { t } = useTranslation('inspections')
  const { data } = useQuery({
    queryKey: ['inspections', 'unsent-photo', photoKey],
    queryFn: () => readPhoto(photoKey),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const url = useObjectUrl(data ?? undefined)
  return url ? <img src={url} alt={t('photo-unsent', { number })} /> : <span className={css.noPhoto} />
}
