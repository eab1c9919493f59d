/**
 * Commands as the log holds them. Decoders and encoders are generated from {@code command.proto};
 * see {@code target/generated-sources} and the options in {@code flyweight.proto}.
 *
 * <p>The callers of the engine encode commands; the engine logs, decodes and applies them. Decoders
 * and encoders are flyweights: reused for message after message by one thread at a time, they
 * allocate nothing once they have grown to the size of the messages. A decoder checks everything
 * that a single message can tell and refuses the rest with a {@link
 * io.entroq.codec.message.MalformedMessageException}. An encoder writes the bytes that the protobuf
 * class of the message would.
 *
 * <p>Hand-written: {@code CommandRules}, for rules about several fields; {@code IdentityPrefix},
 * which puts an identity in front of a command that is already encoded; and the interfaces that
 * decoders of similar items share.
 */
package io.entroq.codec.command;
