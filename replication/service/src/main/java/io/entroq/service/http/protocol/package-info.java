/**
 * Converts requests, responses and errors of REST and Connect from and to HTTP messages. Only the
 * HTTP server uses it, on its event loops; nothing here has state.
 */
package io.entroq.service.http.protocol;
