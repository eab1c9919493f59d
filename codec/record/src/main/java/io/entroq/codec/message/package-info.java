/**
 * What the flyweights of all messages share: a protobuf reader and writer over Agrona buffers, ids
 * and identities, and the rules for them.
 *
 * <p>Generated decoders and encoders of {@link io.entroq.codec.command} and {@link
 * io.entroq.codec.result} are built on this; callers use ids, slices and enum constants. Everything
 * is for one thread at a time and allocates nothing once it has grown to the size of the messages.
 *
 * <p>{@code IdDecoder}, {@code IdentityDecoder}, {@code ValueKinds} and {@code Facades} are
 * generated from {@code common.proto}. {@code IdFields} is hand-written, because an id of zeros is
 * left out when it is encoded; {@code BodyCrc}, because it reads a message a second time; {@code
 * MessageRules}, because it compares fields with each other.
 */
package io.entroq.codec.message;
