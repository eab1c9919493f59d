/**
 * Streams that carry the requests of one client, many under way at a time: numbers, window, what
 * may be read and what is ready to be sent. {@code entroq/v1/stream.proto} is the protocol.
 *
 * <p>Requests come one message at a time, on a thread of the transport's; answers come from a
 * thread of the engine's, are gathered, and leave together. Nothing blocks: where an answer finds
 * no room, its request is asked once more when there is some, for the engine keeps its receipt.
 */
package io.entroq.service.stream;
