/** Users' texts keep to their cell of a table and bring no markup of their own. */
export const plain = (text: string): string => text.replaceAll(/[\r\n|<>`*_[\]]/g, ' ').slice(0, 300)
