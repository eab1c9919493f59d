/**
 * Commands as stored in the log. Decoders and encoders are generated from {@code command.proto}
 * into {@code target/generated-sources}.
 *
 * <p>Callers of the engine encode commands; the engine logs, decodes and applies them. Decoders and
 * encoders are reusable flyweights: not thread-safe, and free of allocation in steady state. A
 * decoder checks whatever a single message can show, and throws {@link
 * io.entroq.codec.message.MalformedMessageException}. An encoder writes the same bytes as the
 * protobuf class of the message.
 */
package io.entroq.codec.command;
