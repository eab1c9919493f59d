/**
 * What comes of commands, and the questions that are never logged: hand-written encoders and
 * decoders of {@code result.proto} over Agrona buffers.
 *
 * <p>The engine writes results, whoever serves callers reads them. Flyweights as in {@link
 * io.entroq.codec.command}: one thread at a time, reused, nothing allocated once they have grown.
 */
package io.entroq.codec.result;
