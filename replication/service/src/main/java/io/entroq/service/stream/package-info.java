/**
 * Request streams: many concurrent requests of one client over one gRPC stream. {@code
 * entroq/v1/stream.proto} is the protocol.
 *
 * <p>The transport delivers one message at a time on its thread. Responses come on engine threads,
 * are gathered, and are sent together. Nothing blocks: a response without room is dropped, and its
 * request is started again later, which works since the engine keeps the receipt.
 */
package io.entroq.service.stream;
