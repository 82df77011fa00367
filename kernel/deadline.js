/** A promise with a deadline. */
/** Resolves as `work` does, or rejects with `late()` after `milliseconds`. The work itself goes on; abort it by other means. */
export async function withDeadline(work, milliseconds, late) {
    let timer;
    const deadline = new Promise((_, reject) => {
        timer = setTimeout(() => reject(late()), milliseconds);
    });
    try {
        return await Promise.race([work(), deadline]);
    }
    finally {
        clearTimeout(timer);
    }
}
//# sourceMappingURL=deadline.js.map