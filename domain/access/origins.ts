/** Whether a text is the origin of web pages, such as `https://www.example.com`. */
export const isOrigin = (text: string): boolean => /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text
