import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { type InspectionResult, resultNumbers, type WireInspection } from '@rogatka/contract/inspections.ts'
import {
  canCloseUnweighed,
  contradictsWeights,
  needsReason,
  resultsError,
} from '@rogatka/domain/inspections/results.ts'
import { parseTaxId } from '@rogatka/domain/inspections/taxId.ts'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, useFormat } from '../core/format.ts'
import { ChoiceTile } from '../ui/ChoiceTile.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CheckIcon, CloseIcon } from '../ui/icons.tsx'
import { parseAmount } from './closing.ts'
import { Photos } from './Photos.tsx'
import css from './Result.module.css'
import { SavedLine } from './SavedLine.tsx'
import type { InspectionWork } from './useInspectionWork.ts'

const COMPLIANT: InspectionResult = 1
const WITH_AMOUNT: readonly InspectionResult[] = [3, 4]
const MIN_REASON = 3

type Props = {
  inspection: WireInspection
  work: InspectionWork
  /** Static weights are stored or about to be sent. */
  isWeighed: boolean
  onClosed: () => void
  /** Finishing was refused, as weights that were typed are incomplete. */
  onIncomplete: () => void
  /** Before the fields, for example the scale. */
  children?: ReactNode
}

/** Results after a tile was pressed: "compliant" and what follows from a violation exclude each other. */
function toggleResult(results: readonly InspectionResult[], result: InspectionResult): InspectionResult[] {
  if (results.includes(result)) return results.filter((it) => it !== result)
  const added = [...results, result].sort((a, b) => a - b)
  if (resultsError({ results: added, fineAmount: null }) === null) return added
  return result === COMPLIANT ? added.filter((it) => !followsViolation(it)) : added.filter((it) => it !== COMPLIANT)
}

/** Whether the result cannot be together with "compliant". */
const followsViolation = (result: InspectionResult): boolean =>
  resultsError({ results: [COMPLIANT, result], fineAmount: null }) !== null

/** Results, carrier, photos and note; closes the inspection. */
export function ResultForm({ inspection, work, isWeighed, onClosed, onIncomplete, children }: Props) {
  const { t } = useTranslation('inspections')
  const { decimal } = useFormat()
  const { outcome, setOutcome, verdict, draft, carrier, taxId, carrierSince } = work
  const [isChecked, setChecked] = useState(false)
  const { fineAmount } = outcome
  const isExcluded = (result: InspectionResult) => isWeighed && contradictsWeights([result])
  const results = outcome.results.filter((it) => !isExcluded(it))
  // Typed weights are sent with the result, unless it says that nothing was weighed.
  const sendsWeights = draft === 'changed' && (isWeighed || !contradictsWeights(results))
  const hasWeights = isWeighed || sendsWeights
  // Limits that are unknown here are known to the server, which then asks for the reason.
  const isConfirmed = hasWeights && (verdict.kind === 'confirmed' || work.work.refused?.code === 'reason-missing')
  // Chosen before the weights were corrected.
  const doubted = hasWeights && verdict.kind === 'within-limits' && results.some(followsViolation)
  const asksReason = needsReason(results, isConfirmed)
  const hasAmount = results.some((it) => WITH_AMOUNT.includes(it))
  const amount = parseAmount(fineAmount)
  const errors = {
    results:
      results.length === 0
        ? t('choose-result')
        : !hasWeights && !canCloseUnweighed(results)
          ? t('result-needs-weights')
          : null,
    fineAmount: hasAmount && Number.isNaN(amount) ? t('amount-invalid') : null,
    taxId: taxId.trim() !== '' && parseTaxId(taxId) === null ? t('tax-id-invalid') : null,
    reason: asksReason && outcome.reason.trim().length < MIN_REASON ? t('reason-missing') : null,
  }
  const shown: Partial<typeof errors> = isChecked ? errors : {}
  // On a tile, 1 to 9 press the first nine.
  const toggleByDigit = (event: KeyboardEvent) => {
    const result = resultNumbers.find((number) => String(number) === event.key)
    if (result === undefined || isExcluded(result) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    setOutcome({ results: toggleResult(results, result) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (Object.values(errors).some((error) => error !== null)) return
    if ((isWeighed && draft === 'incomplete') || (sendsWeights && !work.finishWeighing())) {
      work.selectMissing()
      onIncomplete()
      return
    }
    work.close(results)
    onClosed()
  }
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <section className={css.section} aria-labelledby="inspection-result">
        <h2 id="inspection-result">{t('result')}</h2>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the tiles, which are buttons */}
        <div className={css.tiles} onKeyDown={toggleByDigit}>
          {resultNumbers.map((result) => (
            <ChoiceTile
              key={result}
              label={t(`result-${result}`)}
              on={results.includes(result)}
              disabled={isExcluded(result)}
              onToggle={() => setOutcome({ results: toggleResult(results, result) })}
            />
          ))}
        </div>
        {shown.results && (
          <p className={css.error} role="alert">
            {shown.results}
          </p>
        )}
        {doubted && (
          <Text size="sm" role="status">
            {t('results-doubted')}
          </Text>
        )}
        {hasAmount && (
          <TextInput
            label={t('amount')}
            inputMode="decimal"
            value={decimal === '.' ? fineAmount.replace(',', decimal) : fineAmount}
            error={shown.fineAmount}
            onChange={({ currentTarget }) => setOutcome({ fineAmount: currentTarget.value })}
          />
        )}
        {asksReason && (
          <Textarea
            label={t('reason-of-compliant')}
            value={outcome.reason}
            error={shown.reason}
            maxLength={200}
            autosize
            onChange={({ currentTarget }) => setOutcome({ reason: currentTarget.value })}
          />
        )}
      </section>
      {children}
      <section className={css.section}>
        <TextInput
          label={
            <>
              {t('carrier')} {carrierSince && <small>{t('last-carrier', { date: formatDate(carrierSince) })}</small>}
            </>
          }
          value={carrier}
          maxLength={200}
          rightSection={
            carrier && (
              <IconButton aria-label={t('clear-carrier')} onClick={() => setOutcome({ carrier: '', taxId: '' })}>
                <CloseIcon />
              </IconButton>
            )
          }
          onChange={({ currentTarget }) => setOutcome({ carrier: currentTarget.value, taxId })}
        />
        <TextInput
          label={t('tax-id')}
          value={taxId}
          error={shown.taxId}
          maxLength={20}
          inputMode="numeric"
          onChange={({ currentTarget }) => setOutcome({ carrier, taxId: currentTarget.value })}
        />
      </section>
      <Photos inspection={inspection} work={work} isChangeable />
      <section className={css.section}>
        <Textarea
          label={t('note')}
          value={outcome.note ?? inspection.note ?? ''}
          maxLength={2_000}
          autosize
          maxRows={6}
          onChange={({ currentTarget }) => setOutcome({ note: currentTarget.value })}
        />
        <Textarea
          label={t('declaration')}
          value={outcome.declaration ?? inspection.declaration ?? ''}
          maxLength={2_000}
          autosize
          maxRows={6}
          onChange={({ currentTarget }) => setOutcome({ declaration: currentTarget.value })}
        />
      </section>
      <div className={css.end}>
        <SavedLine work={work} />
        <Button type="submit" fullWidth className={css.finish ?? ''} leftSection={<CheckIcon />}>
          {t('finish')}
        </Button>
      </div>
    </form>
  )
}
