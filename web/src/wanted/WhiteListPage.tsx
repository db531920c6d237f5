import { WHITE } from '@rogatka/contract/wanted.ts'
import { PlatesScreen } from './PlatesScreen.tsx'

export const WhiteListPage = () => <PlatesScreen key="white" typeOfList={WHITE} />
