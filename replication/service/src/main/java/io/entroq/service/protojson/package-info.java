/**
 * The messages of the v1 API as JSON and as query parameters, contract 1.13.
 *
 * <p>Protobuf's own printer writes the number 1 as 1.0, and its parser cannot keep JSON values as
 * the bytes that they are. So both are written here, over the descriptors of the messages. Any
 * thread.
 */
package io.entroq.service.protojson;
