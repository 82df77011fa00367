/** `plugboard/console`: the contract of pages, and the parts that pages are made of. */
export { ApiError, call, type ApiRequest } from './call.js';
export { Confirm, type ConfirmProps } from './confirm.js';
export { useConsole, useScheme } from './context.js';
export type { Language, Mount, Notice, PageContext, PageInfo, Person, Scheme } from './contract.js';
export { CopyBlock, CopyButton, CopyRequest, curlOf, RequestToCopy, useCopy } from './copy.js';
export { useList, type List, type ListOptions, type Paging } from './list.js';
export { styleNonce } from './nonce.js';
export { Page, type PageProps } from './page.js';
export { describe, queries, useRead, useWrite, type WriteOptions } from './queries.js';
export { reactPage } from './react-page.js';
export { SchemaForm, type SchemaFormProps } from './schema-form.js';
export type { ObjectSchema, Schema } from './schema.js';
export { SearchField, type SearchFieldProps } from './search-field.js';
export { Empty, Failed, Loading, NoMatch, type EmptyProps } from './states.js';
export { ListTable, type Column, type ListTableProps } from './table.js';
export { useTexts, type Texts } from './texts.js';
export { Ago } from './time.js';
export { useUrlState, type UrlValues } from './url-state.js';
