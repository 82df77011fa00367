/** One text for each principal, for records and for what is owned: a key's id, and `kind:id` for all others. */
export function principalId(principal) {
    switch (principal.kind) {
        case 'key':
            return principal.id;
        case 'session':
            return `session:${principal.id}`;
        case 'user':
            return `user:${principal.user.id}`;
        case 'app':
            return `app:${principal.app.id}`;
        case 'anonymous':
            return 'anonymous';
    }
}
//# sourceMappingURL=auth.js.map