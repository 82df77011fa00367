export {};
//# sourceMappingURL=secrets.js.map