import { WHITE } from '@rogatka/contract/wanted.ts'
import { PlatesPage } from './PlatesPage.tsx'

export const WhiteListPage = () => <PlatesPage key="white" typeOfList={WHITE} />
