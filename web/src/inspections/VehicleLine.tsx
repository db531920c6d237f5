import { TextInput } from '@mantine/core'
import { axleGap } from '@rogatka/contract/inspections.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useLanguage } from '../core/language.ts'
import { ChoiceTile } from '../ui/ChoiceTile.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { formatField, parseNumber } from '../ui/numberField.ts'
import { DialogButtons } from './DialogButtons.tsx'
import resultCss from './Result.module.css'
import type { InspectionWork } from './useInspectionWork.ts'
import css from './Vehicle.module.css'
import weighingCss from './Weighing.module.css'
import { gapsOfRows, setGaps } from './weightEntry.ts'

/** Categories [8+1] of which the law knows a kind of vehicle, the heavy ones first. */
const CATEGORIES = [3, 8, 9, 5, 11, 7, 2, 10] as const

/** Kind of the vehicle and spacings of its axles, on which the limits depend; both can be corrected. */
export function VehicleLine({ work }: { work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const [isOpen, setOpen] = useState(false)
  const { ctg8p1 } = work
  return (
    <>
      <button type="button" className={`${weighingCss.scale} ${css.line}`} onClick={() => setOpen(true)}>
        <span>{t('kind-and-gaps')}</span>
        <b>{ctg8p1 ? t(`vehicle:category-${ctg8p1}`, { defaultValue: '–' }) : '–'}</b>
        <DownIcon />
      </button>
      {isOpen && <VehicleDialog work={work} onClose={() => setOpen(false)} />}
    </>
  )
}

function VehicleDialog({ work, onClose }: { work: InspectionWork; onClose: () => void }) {
  const { t } = useTranslation('inspections')
  const { metres } = useFormat()
  const language = useLanguage()
  const { entry, measured, changeEntry } = work
  const known = gapsOfRows(entry, measured)
  const [category, setCategory] = useState(work.ctg8p1)
  const [texts, setTexts] = useState(() =>
    entry.rows.axles.slice(1).map((_, at) => formatField(known && (known[at] as number) / 100, 2, language)),
  )
  const [isChecked, setChecked] = useState(false)
  const isEmpty = texts.every((text) => text.trim() === '')
  const gaps = texts.map((text) => Math.round((parseNumber(text) ?? 0) * 100))
  const isValid = (gap: number) => gap >= axleGap.min && gap <= axleGap.max
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!isEmpty && !gaps.every(isValid)) return
    changeEntry((it) => {
      const spaced = setGaps(it, isEmpty ? null : gaps, measured)
      return category === null || category === work.ctg8p1 ? spaced : { ...spaced, ctg8p1: category }
    })
    onClose()
  }
  return (
    <Dialog title={t('kind-and-gaps')} open onClose={onClose}>
      <form onSubmit={submit} noValidate className={css.form}>
        <fieldset className={resultCss.tiles} aria-label={t('kind')}>
          {CATEGORIES.map((it) => (
            <ChoiceTile
              key={it}
              label={t(`vehicle:category-${it}`)}
              on={it === category}
              onToggle={() => setCategory(it)}
            />
          ))}
        </fieldset>
        {entry.mode !== 'gross' && (
          <fieldset>
            <legend>{t('gap')}</legend>
            <div className={css.gaps}>
              {texts.map((text, at) => (
                <TextInput
                  // biome-ignore lint/suspicious/noArrayIndexKey: the place is its name
                  key={at}
                  label={`${at + 1}–${at + 2}`}
                  aria-label={t('gap-between', { from: at + 1, to: at + 2 })}
                  inputMode="decimal"
                  value={text}
                  error={isChecked && !isEmpty && !isValid(gaps[at] as number)}
                  onChange={({ currentTarget: { value } }) =>
                    setTexts((before) => before.map((it, index) => (index === at ? value : it)))
                  }
                />
              ))}
            </div>
            <p className={css.hint} role={isChecked ? 'alert' : undefined}>
              {t('gaps-hint', { min: metres(axleGap.min), max: metres(axleGap.max) })}
            </p>
          </fieldset>
        )}
        <DialogButtons confirmLabel={t('ui:save')} onClose={onClose} />
      </form>
    </Dialog>
  )
}
