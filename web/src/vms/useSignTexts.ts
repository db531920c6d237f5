import type { Content, WireSign, WireSignGroup } from '@rogatka/contract/vms.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import { markOf } from './signs.ts'

type Sign = Pick<WireSign, 'number' | 'vms'>

/** Texts of signs. */
export function useSignTexts() {
  const { t } = useTranslation('vms')
  return {
    /** "Znak 2, S8 513+820" */
    signName: ({ number, vms }: Sign) => t('sign', { number, road: vms.roadNumber, chainage: vms.chainage }),

    /** For example "włączony", "awaria: piksele". */
    statusOf(sign: WireSign): string {
      const mark = markOf(sign)
      const { faults } = sign.vmsStatus
      if (mark !== 'malfunction' || faults.length === 0) return t(mark)
      return t('malfunction-of', { faults: faults.map((fault) => t(`fault-${fault}`)).join(', ') })
    },

    /** TAK, NIE, or no data. */
    enabledOf({ vmsStatus: { contentDisplayed } }: WireSign): string {
      return contentDisplayed === null ? t('no-data') : t(contentDisplayed ? 'ui:yes' : 'ui:no')
    },

    /** State of the connection, and the time of the last response. */
    connectionOf({ vmsStatus: { circuit, answeredAt, checkedAt } }: WireSign): { circuit: string; last: string } {
      return {
        circuit: checkedAt === null ? t('not-polled') : t(`circuit-${circuit}`),
        last: answeredAt === null ? t('never-answered') : t('answered-at', { time: formatTime(answeredAt) }),
      }
    },
  }
}

/** Texts of variants. */
export function useVariantTexts({ variants }: Pick<WireSignGroup, 'variants'>) {
  const { t } = useTranslation('vms')
  return {
    /** "2: kontrola ciężarowych" */
    variantName(number: number): string {
      const found = variants.find(({ variant }) => variant === number)
      return found?.description
        ? t('variant-name', { variant: number, description: found.description })
        : t('variant-number', { variant: number })
    },
  }
}

/** Texts of contents, once loaded. */
export function useContentTexts(contents: readonly Content[] | undefined) {
  const { t } = useTranslation('vms')
  const find = (id: number) => contents?.find((content) => content.id === id)
  return {
    imageOf: (id: number): string | null => find(id)?.image ?? null,
    /** The text on the sign, else the content's description. */
    textOf(id: number): string {
      const content = find(id)
      return content?.lines.join(' ').trim() || content?.description || t('content-number', { id })
    },
  }
}
