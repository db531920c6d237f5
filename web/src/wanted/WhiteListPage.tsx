import { WHITE } from '@rogatka/contract/options.ts'
import { PlatesPage } from './PlatesPage.tsx'

export const WhiteListPage = () => <PlatesPage key="white" typeOfList={WHITE} />
