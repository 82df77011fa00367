export const en = {
  accounts: 'Accounts',
  accountsSummary: 'Customers, merchants and recipients, and what each still needs.',
  account: 'Account',
  configurations: 'Configurations',
  created: 'Created',
  state: 'State',
  open: 'Open',
  closed: 'Closed',
  search: 'Whole e-mail address',
  none: 'No account yet',
  noneHint: 'A client of the accounts API makes them; the request below makes one.',
  requirements: 'What it still needs',
  noRequirements: 'Nothing: it has all that was asked for.',
  json: 'The account as the API answers it',
  awaiting: (who: string) => `awaits ${who}`,
  cancel: 'Close',
};
export type AccountTexts = typeof en;
