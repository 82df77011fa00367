import { kernelErrors } from './errors.js';
export function answerClientError(error, socket) {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
        socket.destroy();
        return;
    }
    const { status, code, message } = error.code === 'HPE_HEADER_OVERFLOW'
        ? kernelErrors.headers_too_large()
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? kernelErrors.request_timeout()
            : kernelErrors.malformed_http();
    const body = JSON.stringify({ code, message, details: null, hint: null });
    socket.end(`HTTP/1.1 ${status} \r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}
//# sourceMappingURL=client-error.js.map