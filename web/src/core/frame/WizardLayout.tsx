import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BackButton, NextButton } from '../../ui/StepButtons.tsx'
import { Steps } from '../../ui/Steps.tsx'
import { useShortcuts } from '../shortcuts.ts'
import { useTitlePart } from '../useTitle.ts'
import { FilterPanelToggle } from './FilterPanelToggle.tsx'
import { PageLayout } from './PageLayout.tsx'

type Props = {
  /** Name of the page, for screen readers. */
  title: string
  /** Tabs of pages that belong together. */
  tabs?: ReactNode
  /** The names of the steps, in their order. */
  steps: readonly string[]
  /** From 1. */
  current: number
  /** Called only with completed steps. */
  onPick: (step: number) => void
  /** Target of Back, if not the previous step. */
  onBack?: () => void
  /** Absent on the last step. */
  next?: { run: () => void; label?: string | undefined } | undefined
  /** Buttons before Back. */
  actions?: ReactNode
  /** `<FilterPanel>` with the active filters. */
  filterPanel: ReactNode
  children: ReactNode
}

/** Layout of a wizard page: steps, Back and Next with shortcuts, active filters. */
export function WizardLayout(props: Props) {
  const {
    title,
    tabs,
    steps,
    current,
    onPick,
    onBack = () => onPick(current - 1),
    next,
    actions,
    filterPanel,
    children,
  } = props
  const { t } = useTranslation('core')
  const isFirst = current === 1
  useTitlePart(isFirst ? null : (steps[current - 1] ?? null))
  useShortcuts([
    ...(next ? [{ key: 'Ctrl+Enter', label: t('key-next'), run: next.run }] : []),
    ...(isFirst ? [] : [{ key: 'Escape', label: t('key-back'), run: onBack }]),
  ])
  return (
    <PageLayout
      tabs={tabs}
      title={<Steps steps={steps} current={current} onPick={onPick} />}
      actions={
        <>
          <FilterPanelToggle />
          {actions}
          {!isFirst && <BackButton onClick={onBack} />}
          {next && <NextButton onClick={next.run} {...(next.label && { label: next.label })} />}
        </>
      }
      filterPanel={filterPanel}
    >
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      {children}
    </PageLayout>
  )
}
