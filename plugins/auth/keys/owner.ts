/** The name of a tenant: shared by the keys and people of one application. */
export const OWNER_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';
