/**
 * Converts between HTTP messages and the requests, responses and errors of REST and Connect. Only
 * the HTTP server uses it, on its event loops. Stateless.
 */
package io.entroq.service.http.protocol;
