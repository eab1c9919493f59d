/**
 * The protobuf of the public APIs and of commands, and the rules for ids, values and requests that
 * the embedded engine, the server and the client share.
 *
 * <p>Its subpackages are generated: {@code published} for clients of the two APIs, {@code edge} for
 * code that handles messages of both, {@code log} for commands and results.
 *
 * <p>Every module may use it. It uses protobuf and a JSON parser, but no Agrona, IO or threads.
 * Types are thread-safe unless they say otherwise.
 */
package io.entroq.codec.wire;
