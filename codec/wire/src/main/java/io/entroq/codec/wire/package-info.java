/**
 * What crosses a boundary: the protobuf of the public APIs and of commands, and beside it the rules
 * for ids, values and requests that every way of use shares.
 *
 * <p>Below it are generated classes alone: {@code published} for clients of the two APIs, {@code
 * edge} for those who handle the messages of both, {@code log} for commands and results.
 *
 * <p>Every module may use it. It knows protobuf, and a JSON parser behind {@code Values}: no
 * Agrona, no IO, no threads. All types are safe to use from any thread unless they say otherwise.
 */
package io.entroq.codec.wire;
