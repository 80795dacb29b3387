// Adds lines to a history, one by one: node history-add-process.ts FOLDER NAME COUNT
import { historyDirectory } from '../../../../src/adapters/store/history-directory.ts'

const [folder = '', name = '', count = '0'] = process.argv.slice(2)
const store = historyDirectory(folder, { drawPage: null })
for (let index = 0; index < Number(count); index += 1) await store.update((text) => `${text}${name} ${index}\n`, 'test')
