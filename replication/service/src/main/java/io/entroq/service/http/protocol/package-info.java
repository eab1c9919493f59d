/**
 * How REST and Connect write requests, responses and errors as HTTP messages. Used by the HTTP
 * server alone, on its event loops; nothing here keeps state.
 */
package io.entroq.service.http.protocol;
