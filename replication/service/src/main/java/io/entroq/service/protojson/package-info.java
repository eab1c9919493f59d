/**
 * The messages of the v1 API as JSON and as query parameters, contract 1.13.
 *
 * <p>Replaces Protobuf's own JSON support, which prints the number 1 as 1.0 and cannot parse JSON
 * values into bytes. Any thread.
 */
package io.entroq.service.protojson;
