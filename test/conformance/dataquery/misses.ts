/** Cases that do not pass, each with its reason. One that passes must leave the list. */
export const misses: Readonly<Record<string, string>> = {};
