/**
 * Request streams: many concurrent requests of one client over one gRPC stream. {@code
 * entroq/v1/stream.proto} is the protocol.
 *
 * <p>The transport delivers one message at a time on its thread. Responses come on engine threads,
 * are gathered, and leave together. Nothing blocks: a response that finds no room is dropped, and
 * its request is started again later, since the engine keeps the receipt.
 */
package io.entroq.service.stream;
