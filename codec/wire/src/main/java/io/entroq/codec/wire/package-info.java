/**
 * The protobuf of the public APIs and of commands, and the rules for ids, values and requests that
 * the embedded engine, the server and the client share.
 *
 * <p>Below it are generated classes alone: {@code published} for clients of the two APIs, {@code
 * edge} for code that handles messages of both, {@code log} for commands and results.
 *
 * <p>Every module may use it. It knows protobuf, and a JSON parser behind {@code Values}: no
 * Agrona, no IO, no threads. All types are safe to use from any thread unless they say otherwise.
 */
package io.entroq.codec.wire;
