import { Button, TextInput } from '@mantine/core'
import { type Purpose, purposes } from '@rogatka/contract/looks.ts'
import { MIN_PURPOSE_NOTE, PURPOSE_MINUTES, purposesWithReference } from '@rogatka/contract/trail.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { answerPurpose, callsWithoutPurpose } from '../core/purpose.ts'
import { useStore } from '../core/store.ts'
import { useBanner } from '../core/useBanner.ts'
import { useReturnedFocus } from '../core/useReturnedFocus.ts'
import { useSelf } from '../core/useSelf.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import css from './PurposeDialog.module.css'
import { givePurpose } from './purposeQuery.ts'
import { SearchedPlate } from './SearchedPlate.tsx'

const WIDTH = 560

const decline = () => answerPurpose(false)

type Errors = { purpose?: string; reference?: string; note?: string }

/** Asks the user why they look for plates. Nothing is preselected, so that the purpose is chosen deliberately. */
export function PurposeDialog() {
  const { t } = useTranslation('trail')
  const { data: self } = useSelf()
  const [plate] = useStore(callsWithoutPurpose).flatMap(({ about }) => about ?? [])
  const [purpose, setPurpose] = useState<Purpose | null>(null)
  const [reference, setReference] = useState('')
  const [note, setNote] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const banner = useBanner()
  const form = useRef<HTMLFormElement>(null)
  const give = useMutation({ mutationFn: givePurpose, gcTime: 0, onSuccess: () => answerPurpose(true) })
  useReturnedFocus()

  const missing = (): Errors => {
    if (purpose === null) return { purpose: t('purpose-empty') }
    if (purposesWithReference.includes(purpose) && reference.trim() === '')
      return { reference: t('errors:reference-missing') }
    const isVague = purpose === 'other' && note.trim().length < MIN_PURPOSE_NOTE
    return isVague ? { note: t('errors:purpose-note-missing') } : {}
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (give.isPending) return
    const found = missing()
    setErrors(found)
    const [field] = Object.keys(found)
    if (field) form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
    if (field || purpose === null) return
    banner.clear()
    give.mutate(
      { purpose, reference: reference.trim() || null, note: purpose === 'other' ? note.trim() : null },
      {
        onError: (failure) => {
          const refused: Errors = fieldErrors(failure, ['reference', 'note'])
          setErrors(refused)
          if (Object.keys(refused).length === 0) banner.show(failure)
        },
      },
    )
  }
  return (
    <Dialog title={t(plate ? 'purpose-of-plate' : 'purpose-of-data')} open onClose={decline} width={WIDTH}>
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
        {plate && (
          <p>
            {/* Of several readings the first. */}
            <SearchedPlate text={plate.split(',')[0] ?? ''} size="m" />
          </p>
        )}
        <fieldset className={css.purposes} aria-describedby={errors.purpose && 'purpose-error'}>
          <legend className={css.legend}>{t('purpose')}</legend>
          {purposes.map((option, at) => (
            <label key={option} className={css.tile}>
              <input
                type="radio"
                name="purpose"
                value={option}
                checked={purpose === option}
                onChange={() => {
                  setPurpose(option)
                  setErrors({})
                }}
                {...(at === 0 && { 'data-autofocus': true })}
              />
              {t(`purpose-${option}`)}
            </label>
          ))}
        </fieldset>
        {errors.purpose && (
          <p id="purpose-error" className={css.error} role="alert">
            {errors.purpose}
          </p>
        )}
        {purpose === 'other' && (
          <TextInput
            name="note"
            label={t('note')}
            description={t('note-hint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            value={note}
            error={errors.note}
            onChange={({ currentTarget }) => {
              setNote(currentTarget.value)
              setErrors({})
            }}
          />
        )}
        <TextInput
          name="reference"
          label={t('reference')}
          description={t('reference-hint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          maxLength={60}
          value={reference}
          required={purpose !== null && purposesWithReference.includes(purpose)}
          withAsterisk={false}
          error={errors.reference}
          onChange={({ currentTarget }) => {
            setReference(currentTarget.value)
            setErrors({})
          }}
        />
        <div className={css.foot}>
          <p>{t('recorded', { user: self?.username ?? '', minutes: PURPOSE_MINUTES })}</p>
          <Button variant="default" rightSection={<Kbd>Esc</Kbd>} onClick={decline}>
            {t('ui:cancel')}
          </Button>
          <Button type="submit" loading={give.isPending} rightSection={<Kbd>Enter</Kbd>}>
            {t(plate ? 'search' : 'continue')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
