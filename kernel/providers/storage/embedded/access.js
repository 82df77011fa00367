export {};
//# sourceMappingURL=access.js.map