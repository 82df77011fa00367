/** The errors of the routes of changes. */
import { defineErrors } from 'plugboard/sdk';

export const errors = defineErrors({
  endpoint_not_found: {
    status: 404,
    message: 'there is no endpoint "{id}"',
    when: 'no endpoint has this id',
  },
  delivery_not_found: {
    status: 404,
    message: 'there is no delivery "{id}"',
    when: 'no delivery has this id, or it was forgotten after its time',
  },
  delivery_waiting: {
    status: 409,
    message: 'the delivery "{id}" is {state}: it is sent without being asked for',
    when: 'a delivery is sent again that was neither delivered nor given up',
  },
  address_refused: {
    status: 422,
    message: '{message}',
    when: 'the URL of an endpoint is not http or https, holds a password, or leads to an address that is not allowed',
  },
  too_many_endpoints: {
    status: 409,
    message: 'there are {limit} endpoints, which is the limit: remove one, or raise maxEndpoints',
    when: 'one endpoint more than `maxEndpoints` is created',
  },
  transactions_missing: {
    status: 503,
    message: 'changes are off: this MongoDB has no transactions; run it as a replica set',
    when: 'the store is a standalone MongoDB, on which changes cannot be noted safely',
  },
});
