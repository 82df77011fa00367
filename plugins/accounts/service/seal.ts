/** Id numbers: their values are sealed on input and never returned. */
import type { Secrets } from 'plugboard/sdk';
import type { AccountState } from '../account/state.js';

interface IdNumber {
  readonly type?: string;
  readonly value?: string;
}

/** The state with every value sealed for this account; sealed values stay. */
export function sealIdNumbers(state: AccountState, id: string, secrets: Secrets): AccountState {
  const { identity } = state;
  if (identity?.business_details?.id_numbers === undefined && identity?.individual?.id_numbers === undefined)
    return state;
  const seal = (numbers: readonly IdNumber[] | undefined) =>
    numbers?.map(({ value, ...number }) =>
      value === undefined ? number : { ...number, sealed: secrets.seal(value, `id_number:${id}`) },
    );
  const sealed = {
    ...identity,
    ...(identity.business_details && {
      business_details: withNumbers(identity.business_details, seal(identity.business_details.id_numbers)),
    }),
    ...(identity.individual && {
      individual: withNumbers(identity.individual, seal(identity.individual.id_numbers)),
    }),
  };
  return { ...state, identity: sealed as NonNullable<AccountState['identity']> };
}

function withNumbers(owner: object, numbers: readonly IdNumber[] | undefined): object {
  return numbers === undefined ? owner : { ...owner, id_numbers: numbers };
}
