/**
 * Commands as the log holds them: hand-written decoders and encoders of {@code command.proto} over
 * Agrona buffers, and the small protobuf reader and writer beneath them.
 *
 * <p>Whoever makes, logs or applies commands calls this. Decoders and encoders are flyweights: one
 * thread at a time, reused for message after message, nothing allocated once they have grown to the
 * size of the messages. A decoder checks all that a single message can tell; bytes that do not
 * check are refused with a {@link io.entroq.codec.command.MalformedMessageException}. An encoder
 * writes the very bytes that the generated class of the message would.
 */
package io.entroq.codec.command;
