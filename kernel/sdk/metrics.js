export {};
//# sourceMappingURL=metrics.js.map