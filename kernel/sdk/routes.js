export {};
//# sourceMappingURL=routes.js.map