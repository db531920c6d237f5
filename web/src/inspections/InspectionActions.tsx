import { Button } from '@mantine/core'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useRight } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import css from './Inspection.module.css'
import { ReasonDialog } from './ReasonDialog.tsx'
import { inspectionKey } from './sending.ts'
import { aboutOf } from './texts.ts'
import type { InspectionProps } from './useInspectionProps.ts'
import { takeStep } from './useInspectionWork.ts'

type DialogStep = 'take-over' | 'withdraw' | 'reopen'

/** The steps that the user may take besides weighing and closing. */
export function InspectionActions({ inspection, isOfficer, isReviewer, canWork, work }: InspectionProps) {
  const { t } = useTranslation('inspections')
  const showSuccess = useSuccessToast()
  const [asked, setAsked] = useState<DialogStep | null>(null)
  const { id, state, version, officer } = inspection
  const passBy = useMutation({
    mutationFn: () => call(endpoints.passBy, { params: { id }, body: { version } }),
    onSuccess: (stored) => queryClient.setQueryData(inspectionKey(id), stored),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['inspections'] }),
  })
  const byReason = useMutation({
    mutationFn: ({ step, reason }: { step: Exclude<DialogStep, 'take-over'>; reason: string }) =>
      call(step === 'withdraw' ? endpoints.withdraw : endpoints.reopen, {
        params: { id },
        body: { version, reason },
      }),
    onSuccess: (stored, { step }) => {
      showSuccess(t(step === 'withdraw' ? 'withdraw-done' : 'reopen-done'))
      queryClient.setQueryData(inspectionKey(id), stored)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['inspections'] }),
  })
  const isTaken = state === 'takenOver' || state === 'weighed'
  const { unsent, refused } = work.work
  // Somebody else was faster: it can be taken over from them.
  const isPending = unsent.length > 0 && refused?.step !== 'take-over'
  const isAnonymised = useRight('Anonymization')
  const canTake = (state === 'announced' || state === 'passedBy' || (isTaken && !isOfficer)) && !isPending
  const canWithdraw = state === 'announced' || (state === 'takenOver' && (isOfficer || isReviewer))
  const take = () => (isTaken ? setAsked('take-over') : takeStep(id, { step: 'take-over', body: {} }))
  // While weights and results are entered, Enter is theirs.
  useShortcuts(canTake && !canWork && !isAnonymised ? [{ key: 'Enter', label: t('take-over'), run: take }] : [])
  const confirm = (reason: string) => {
    setAsked(null)
    if (asked === 'take-over') takeStep(id, { step: 'take-over', body: { reason } })
    else if (asked) byReason.mutate({ step: asked, reason })
  }
  // They take no step.
  if (isAnonymised) return null
  const error = passBy.error ?? byReason.error
  return (
    <>
      {error && (
        <ErrorBanner
          error={error}
          title={t('step-failed')}
          dismiss={() => {
            passBy.reset()
            byReason.reset()
          }}
        />
      )}
      <div className={css.actions}>
        {canTake && (
          <Button variant={canWork ? 'default' : 'filled'} onClick={take}>
            {isTaken && officer ? t('take-over-from', { name: officer.username }) : t('take-over')}
          </Button>
        )}
        {state === 'announced' && (
          <Button variant="default" loading={passBy.isPending} onClick={() => passBy.mutate()}>
            {t('has-passed')}
          </Button>
        )}
        {canWithdraw && (
          <Button variant="default" loading={byReason.isPending} onClick={() => setAsked('withdraw')}>
            {t('withdraw')}
          </Button>
        )}
        {state === 'closed' && isReviewer && (
          <Button variant="default" loading={byReason.isPending} onClick={() => setAsked('reopen')}>
            {t('reopen')}
          </Button>
        )}
      </div>
      {asked && (
        <ReasonDialog
          title={
            {
              'take-over': t('take-over-question', { name: officer?.username }),
              withdraw: t('withdraw-question'),
              reopen: t('reopen-question'),
            }[asked]
          }
          about={aboutOf(inspection.number, inspection)}
          confirmLabel={t(asked)}
          onClose={() => setAsked(null)}
          onConfirm={confirm}
        />
      )}
    </>
  )
}
